// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
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
 * this repository, the package is linked; `npm run check` installs the packages. Programs that the page starts in the background end with the page.
 *
 * @param folders - Folders of programs that the page needs.
 * @throws Error with the output when a command fails.
 */
export async function follow(snippets: readonly Snippet[], folders: readonly string[]): Promise<readonly CommandOutput[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-guide-")));
  try {
    const script = snippets.map((snippet, index) => stepOf(snippet, index)).join("\n");
    const output = await shell(`${beginning}${script}\n`, folder, folders);
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

/** Ends the group of the shell when the page has been followed, and when its standard input ends because this process was killed. */
const beginning = `exec 2>&1 3<&0 < /dev/null
set -eo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
{ read -r _ <&3 || kill -9 0; } &
`;

async function shell(script: string, folder: string, folders: readonly string[]): Promise<string> {
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
    PATH: [bin, ...folders, process.env["PATH"]].join(delimiter),
    CHECKPOINT_DISABLE: "1",
  };
  const bash = spawn("bash", ["-c", script], { cwd: folder, env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(bash, "close");
  let output = "";
  bash.stdout.on("data", (data) => (output += String(data)));
  const [status] = (await closed) as [number | null];
  try {
    process.kill(-bash.pid!, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
  if (status !== 0) throw new Error(`a command of the page failed:\n${output}`);
  return output;
}
