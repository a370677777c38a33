// SPDX-License-Identifier: Apache-2.0
// The diagnostics of a configuration, as `tofu validate -json` and the engine report them.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { openWorkspace } from "@tenon/engine";
import { allModules, formatModuleSource, loadConfiguration } from "@tenon/engine/configuration";
import type { FileAccess } from "@tenon/engine/functions";
import { memoryFiles } from "@tenon/hcl/files";
import { diagnosticJson } from "@tenon/hcl/report";
import type { ProviderFactory } from "@tenon/schema";
import type { PickedConfiguration } from "./picked-configurations.ts";

/** The properties of a diagnostic that are compared. */
export interface ComparedDiagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly range?: unknown;
}

/** Source address of the provider that the configurations use. */
export const frameworkAddress = "registry.opentofu.org/tenon/framework";

/** The files of a configuration by their paths. */
export function filesOf(picked: PickedConfiguration): Readonly<Record<string, string>> {
  return typeof picked === "string" ? { "main.tf": picked } : picked;
}

/** The key of a configuration in the file of recorded answers. */
export function configurationKey(picked: PickedConfiguration): string {
  return createHash("sha256")
    .update(JSON.stringify(filesOf(picked)))
    .digest("hex")
    .slice(0, 16);
}

/** Sorts diagnostics, because OpenTofu reports them in the random order of Go's maps. */
function sorted(diagnostics: readonly ComparedDiagnostic[]): readonly ComparedDiagnostic[] {
  const texts = diagnostics.map(({ severity, summary, detail, range }) =>
    JSON.stringify({ severity, summary: withSortedCycle(summary), detail, range }),
  );
  return texts.sort().map((text) => JSON.parse(text) as ComparedDiagnostic);
}

function withSortedCycle(summary: string): string {
  return summary.startsWith("Cycle: ") ? `Cycle: ${summary.slice(7).split(", ").sort().join(", ")}` : summary;
}

/** The files of a configuration, for functions that read files. */
function filesForFunctions(files: Readonly<Record<string, string>>): FileAccess {
  const names = Object.keys(files);
  return {
    read: (path) => {
      const text = files[posix.normalize(path)];
      if (text === undefined) throw Object.assign(new Error(`no file ${path}`), { code: "ENOENT" });
      return Buffer.from(text);
    },
    kindOf: (path) => (names.includes(posix.normalize(path)) ? "file" : undefined),
    list: () => names,
  };
}

/** The diagnostics of `workspace.validate()`. */
export async function engineDiagnostics(picked: PickedConfiguration, framework: ProviderFactory): Promise<readonly ComparedDiagnostic[]> {
  const configuration = memoryFiles(new Map(Object.entries(filesOf(picked))));
  const environment = { files: filesForFunctions(filesOf(picked)) };
  const workspace = openWorkspace({ configuration, providers: { [frameworkAddress]: framework }, environment });
  const { diagnostics, sources } = await workspace.validate();
  return sorted(
    diagnostics.map((diagnostic) => {
      const { severity, summary, detail, range } = diagnosticJson(diagnostic, sources);
      return { severity, summary, detail, ...(range && { range }) };
    }),
  );
}

/** Records the folders of local modules as installed, as `tofu get` does for a configuration without errors. */
async function writeManifest(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { configuration } = await loadConfiguration({ files: memoryFiles(new Map(Object.entries(files))) });
  const modules = configuration === undefined ? [] : [...allModules(configuration)];
  const entries = modules.map(({ path, source, module }) => ({
    Key: path.join("."),
    Source: source === undefined ? "" : formatModuleSource(source),
    Dir: module.folder,
  }));
  mkdirSync(join(folder, ".terraform", "modules"), { recursive: true });
  writeFileSync(join(folder, ".terraform", "modules", "modules.json"), JSON.stringify({ Modules: entries }));
}

/** Validates configurations with `tofu`, which finds the provider by a development override. */
export class TofuValidation implements Disposable {
  readonly #tofu: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "tenon-validate-"));

  constructor(tofu: string, provider: string) {
    this.#tofu = tofu;
    const overrides = `provider_installation {\n  dev_overrides {\n    "${frameworkAddress}" = ${JSON.stringify(dirname(provider))}\n  }\n}\n`;
    writeFileSync(join(this.#folder, "cli.tfrc"), overrides);
  }

  /** The diagnostics of `tofu validate -json`. */
  async diagnostics(picked: PickedConfiguration): Promise<readonly ComparedDiagnostic[]> {
    const folder = mkdtempSync(join(this.#folder, "case-"));
    const files = filesOf(picked);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (Object.keys(files).some((path) => path.includes("/"))) await writeManifest(folder, files);
    const { diagnostics } = JSON.parse(await this.#run(folder, ["validate", "-json"])) as {
      readonly diagnostics: readonly (Omit<ComparedDiagnostic, "detail"> & { readonly detail?: string })[];
    };
    rmSync(folder, { recursive: true });
    const own = diagnostics.filter(({ summary }) => summary !== "Provider development overrides are in effect");
    return sorted(
      own.map(({ severity, summary, detail = "", range }) => ({ severity, summary, detail, ...(range !== undefined && { range }) })),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(cwd: string, args: readonly string[]): Promise<string> {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
    const env = {
      ...Object.fromEntries(kept),
      HOME: this.#folder,
      TF_CLI_CONFIG_FILE: join(this.#folder, "cli.tfrc"),
      CHECKPOINT_DISABLE: "1",
    };
    return new Promise((resolve, reject) => {
      execFile(this.#tofu, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout) => {
        // A configuration with errors has exit code 1.
        if (error !== null && typeof error.code !== "number") reject(error);
        else resolve(stdout);
      });
    });
  }
}
