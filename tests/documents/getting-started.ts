// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { readDocument, root, type Snippet } from "./snippets.ts";

/** Output of one block of commands. */
export interface CommandOutput {
  readonly commands: string;
  readonly output: string;
  /** Lines of output that the page shows. */
  readonly expectedOutput: readonly string[];
}

/**
 * Follows a page: writes its files and runs its commands in one shell, in an empty folder. Where the page installs a package of
 * this repository, the package is linked; `npm run check` installs the packages.
 *
 * @throws Error with the output when a command fails.
 */
export async function follow(snippets: readonly Snippet[], tofu: string): Promise<readonly CommandOutput[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-guide-")));
  try {
    const script = snippets.map((snippet, index) => stepOf(snippet, index)).join("\n");
    const output = await shell(`exec 2>&1\nset -eo pipefail\n${script}\n`, folder, tofu);
    const parts = output.split(/^== (\d+)\n/m);
    return snippets.flatMap(({ language, text }, index) => {
      if (language !== "sh") return [];
      const next = snippets[index + 1];
      const expectedOutput = next?.language === "text" ? next.text.trim().split("\n") : [];
      return [{ commands: text, output: parts[parts.indexOf(String(index)) + 1] ?? "", expectedOutput }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stepOf({ language, text, file }: Snippet, index: number): string {
  if (language === "sh") return `printf '\\n== ${index}\\n'\n${text}`;
  if (file === undefined) return "";
  return `cat > ${file} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
}

function shell(script: string, folder: string, tofu: string): Promise<string> {
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  const node = join(root, "node_modules", ".bin", "node");
  symlinkSync(node, join(bin, "node"));
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const packages = readdirSync(join(root, "packages")).map((name) => `ln -sfn "${root}/packages/${name}" node_modules/@tenon/${name}`);
  program("npm", `mkdir -p node_modules/@tenon\n${packages.join("\n")}`);
  const { bin: commands } = JSON.parse(readDocument("packages/provider-sdk/package.json")) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  program("npx", `shift\nexec "${node}" "${root}/packages/provider-sdk/${commands["tenon-package-provider"]}" "$@"`);
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TF_|PLUGIN_|NODE_OPTIONS$)/.test(name))),
    HOME: folder,
    PATH: [bin, dirname(tofu), process.env["PATH"]].join(delimiter),
    CHECKPOINT_DISABLE: "1",
  };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", script], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`a command of the page failed:\n${stdout}\n${stderr}`, { cause: error }));
      else resolve(stdout + stderr);
    });
  });
}
