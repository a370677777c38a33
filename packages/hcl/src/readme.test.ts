// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "vitest";

const packages = join(import.meta.dirname, "../..");
const readme = readFileSync(join(packages, "hcl", "README.md"), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, text]) => text!);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
  // As it would be installed.
  mkdirSync(join(folder, "node_modules", "@tenon"), { recursive: true });
  for (const name of ["cty", "hcl"]) symlinkSync(join(packages, name), join(folder, "node_modules", "@tenon", name), "junction");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
  delete env["FORCE_COLOR"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  return { stdout, stderr };
}

test("the program it opens with prints what its comments say", ({ expect }) => {
  const [program = ""] = blocksOf("ts");
  const { stdout, stderr } = run("--input-type=module-typescript", "-e", program);
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split("\n")).toEqual([...program.matchAll(/ \/\/ (.+)$/gm)].map(([, printed]) => printed));
});

test("the whole program prints what is shown below it", ({ expect }) => {
  const [config = ""] = blocksOf("hcl");
  const [, program = ""] = blocksOf("ts");
  const [printed = ""] = blocksOf("text");
  writeFileSync(join(folder, "main.tf"), config);
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  expect(run("program.ts")).toEqual({ stdout: `${printed}\n`, stderr: "" });
});

test("the README's spec file decodes", ({ expect }) => {
  const [, spec = ""] = blocksOf("hcl");
  writeFileSync(join(folder, "servers.hcldec"), spec);
  writeFileSync(join(folder, "main.hcl"), 'server "web" {\n  size = 1 + 1\n}\n');
  const command = join(packages, "hcl", "src/hcldec/main.ts");
  expect(run(command, "--spec=servers.hcldec", "main.hcl")).toEqual({ stdout: '{"server":{"web":{"size":2}}}\n', stderr: "" });
});
