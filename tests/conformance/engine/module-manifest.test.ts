// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu read and write `.terraform/modules/modules.json`.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  formatManifest,
  installedModules,
  loadConfiguration,
  manifestPath,
  parseManifest,
  readManifest,
  relativeManifest,
} from "@tenon/engine/configuration";
import { openModuleInstaller } from "@tenon/engine/configuration/sources";
import { diskFiles, memoryFiles } from "@tenon/hcl/files";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { CoreFolder } from "../hcl/core-folder.ts";

interface ReportedDiagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
}

interface Validation {
  readonly valid: boolean;
  readonly diagnostics: readonly (ReportedDiagnostic & { readonly range?: { readonly start: { readonly line: number } } })[];
}

function writeAll(folder: CoreFolder, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    folder.write(path, text);
  }
}

async function validate(folder: CoreFolder): Promise<Validation> {
  const { stdout } = await folder.run(["validate", "-json"]);
  return JSON.parse(stdout) as Validation;
}

describePeer(["tofu"], "a module manifest", ({ tofu }) => {
  test("written by OpenTofu is read and written again with the same bytes", async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    writeAll(folder, {
      "main.tf": 'module "a" {\n  source = "./modules/a"\n}\nmodule "b" {\n  source = "./modules/b/"\n}\n',
      "modules/a/main.tf": 'module "inner" {\n  source = "../b"\n}\n',
      "modules/b/main.tf": 'output "o" {\n  value = 1\n}\n',
    });
    await folder.run(["get"]);
    const written = folder.read(manifestPath);
    expect(formatManifest(parseManifest(written))).toBe(written);

    const manifest = await readManifest(diskFiles, folder.path);
    const resolveModule = installedModules(manifest);
    const { configuration, diagnostics } = await loadConfiguration({ files: diskFiles, folder: folder.path, resolveModule });
    expect(diagnostics).toEqual([]);
    expect(configuration?.children.get("a")?.children.get("inner")?.module.folder).toBe(join(folder.path, "modules/b"));
    expect(formatManifest(relativeManifest(manifest, folder.path))).toBe(written);
  });

  test("written by the engine is accepted by OpenTofu, which installs nothing", async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    using repository = new CoreFolder(tofu.path);
    repository.write("main.tf", 'output "o" {\n  value = 1\n}\n');
    for (const args of [
      ["init", "--quiet"],
      ["add", "main.tf"],
      ["commit", "--quiet", "-m", "First"],
    ]) {
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: repository.path });
    }
    writeAll(folder, {
      "main.tf": `module "a" {\n  source = "./a"\n}\nmodule "g" {\n  source = "git::file://${repository.path}"\n}\n`,
      "a/main.tf": "",
    });
    const cliConfig = { hosts: new Map(), credentials: new Map(), ociCredentials: [] };
    await using installer = await openModuleInstaller({ folder: folder.path, cliConfig });
    const loaded = await loadConfiguration({ files: diskFiles, folder: folder.path, resolveModule: installer.resolve });
    expect(loaded.diagnostics).toEqual([]);
    await installer.writeManifest();
    const ours = folder.read(manifestPath);
    expect((await validate(folder)).valid).toBe(true);
    const { stdout } = await folder.run(["get"]);
    expect(stdout).not.toContain("Downloading");
    expect(folder.read(manifestPath)).toBe(ours);
  });

  test("that does not match the configuration is reported as in OpenTofu", async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    const call = (name: string, source: string, version = ""): string =>
      `module "${name}" {\n  source = "${source}"\n${version === "" ? "" : `  version = "${version}"\n`}}\n`;
    const files = {
      "main.tf": [call("a", "./a"), call("b", "./b"), call("c", "x/y/z", ">= 2.0"), call("d", "x/y/w", ">= 2.0")].join(""),
      "b/main.tf": "",
      "c/main.tf": "",
      [manifestPath]: JSON.stringify({
        Modules: [
          { Key: "", Source: "", Dir: "." },
          { Key: "b", Source: "./other", Dir: "b" },
          { Key: "c", Source: "registry.opentofu.org/x/y/z", Version: "1.9.0", Dir: "c" },
          { Key: "d", Source: "registry.opentofu.org/x/y/w", Dir: "b" },
        ],
      }),
    };
    writeAll(folder, files);
    const inMemory = memoryFiles(new Map(Object.entries(files)));
    const resolveModule = installedModules(await readManifest(inMemory, "."));
    const { diagnostics: ours } = await loadConfiguration({ files: inMemory, resolveModule });
    const { diagnostics: theirs } = await validate(folder);
    const shown = ({ severity, summary, detail }: ReportedDiagnostic, line: number | undefined): string =>
      `${line} ${severity} ${summary}: ${detail}`;
    expect(ours.map((one) => shown(one, one.subject?.start.line)).sort()).toEqual(
      theirs.map((one) => shown(one, one.range?.start.line)).sort(),
    );
    expect(ours).toHaveLength(4);
  });
});
