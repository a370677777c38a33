// SPDX-License-Identifier: Apache-2.0
// Each package, packed as it is published and installed into an empty project, with the program its README opens with.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findPeer, whyAbsent } from "@tenon/peers";
import { afterAll, beforeAll, describe, test } from "vitest";
import { packageFolders, packageJson, root } from "./sources.ts";

const bin = join(root, "node_modules", ".bin");
const execute = promisify(execFile);
let tarballs: string;

beforeAll(async () => {
  tarballs = mkdtempSync(join(tmpdir(), "tenon-tarballs-"));
  await run(join(bin, "turbo"), ["run", "build", "--output-logs=errors-only"], root);
  for (const folder of packageFolders())
    await run(join(bin, "pnpm"), ["pack", "--pack-destination", tarballs], join(root, "packages", folder));
}, 300_000);
afterAll(() => rmSync(tarballs, { recursive: true, force: true }));

describe("installed into an empty project", () => {
  test.for(packageFolders())("%s runs its README's program", { timeout: 180_000 }, async (folder, { expect, skip }) => {
    const program = firstProgram(folder);
    const time = program.includes('"terraform-provider-time"') ? findPeer("provider-time") : undefined;
    if (program.includes('"terraform-provider-time"') && time === undefined) skip(whyAbsent("provider-time"));
    const project = mkdtempSync(join(tmpdir(), `tenon-${folder}-`));
    try {
      writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
      const needed = [...closure(folder)].map((name) => join(tarballs, tarballOf(name)));
      await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...needed], project);
      writeFileSync(join(project, "program.ts"), program);
      const provider = join(root, "apps/examples/textfile/main.ts");
      const { stdout } = await run(join(bin, "node"), ["program.ts", join(bin, "node"), provider], project, time && dirname(time.path));
      expect(stdout.trim()).not.toBe("");
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});

async function run(command: string, args: readonly string[], cwd: string, onPath = bin): Promise<{ readonly stdout: string }> {
  const env = { ...process.env, PATH: [onPath, bin, process.env["PATH"]].join(delimiter) };
  try {
    return await execute(command, args, { cwd, env, maxBuffer: 16 << 20 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed in ${cwd}\n${stdout ?? ""}\n${stderr ?? ""}`, { cause: error });
  }
}

/** The package and those of ours that it needs: nothing else is installed by hand. */
function closure(folder: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies = {}, peerDependencies = {} } = packageJson(folder);
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (name.startsWith("@tenon/")) closure(name.slice("@tenon/".length), found);
  }
  return found;
}

function tarballOf(folder: string): string {
  const name = readdirSync(tarballs).find((file) => file === `tenon-${folder}-${packageJson(folder).version}.tgz`);
  if (name === undefined) throw new Error(`${folder} was not packed`);
  return name;
}

/** The first TypeScript block of the package's README. */
function firstProgram(folder: string): string {
  const readme = readFileSync(join(root, "packages", folder, "README.md"), "utf8");
  const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  if (program === undefined) throw new Error(`packages/${folder}/README.md opens with no program`);
  const lines = program.trim().split("\n").length;
  if (lines > 16) throw new Error(`packages/${folder}/README.md opens with a program of ${lines} lines; 15 are enough`);
  return program;
}
