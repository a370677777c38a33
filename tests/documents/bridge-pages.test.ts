// SPDX-License-Identifier: Apache-2.0
// The pages of bridge: their programs compile, and their commands write what the pages show.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { compilePrograms, programsOf, runProgram } from "./page-programs.ts";
import { Project } from "./project.ts";
import { readDocument, root, snippetsOf } from "./snippets.ts";

test("all programs on the pages of bridge compile", { timeout: 180_000 }, async ({ expect }) => {
  const programs = programsOf("packages/bridge/docs");
  expect(programs.length).toBeGreaterThan(0);
  expect(await compilePrograms(programs)).toEqual([]);
});

describe.skipIf(process.platform === "win32")("the page on packaging", () => {
  test("shows the command that packages its provider, and what it writes", { timeout: 180_000 }, ({ expect }) => {
    const page = snippetsOf(readDocument("packages/bridge/docs/packaging.md"));
    const provider = page.find(({ language }) => language === "ts")!;
    using project = new Project({ "provider.ts": provider.text });
    const [, , ...args] = page
      .find(({ language }) => language === "sh")!
      .text.trim()
      .split(" ");
    const command = join(root, "packages/bridge/src/pulumi/package/main.ts");
    const { stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: project.folder, encoding: "utf8" });
    expect(stderr).toBe("");
    const lines = page
      .find(({ language }) => language === "text")!
      .text.trim()
      .split("\n");
    const written = stdout.trimEnd().split("\n");
    expect(written).toHaveLength(lines.length);
    for (const [at, line] of lines.entries()) expect(written[at]).toContain(join(project.folder, line));
    const schema = JSON.parse(readFileSync(join(project.folder, "dist-pulumi/schema/schema.json"), "utf8")) as object;
    expect(schema).toMatchObject({ name: "shelf", resources: { "shelf:index/book:Book": {} } });
  });
});

test("the program on the page about Kubernetes kinds prints what the page says", { timeout: 180_000 }, async ({ expect }) => {
  const [program] = programsOf("packages/bridge/docs").filter(({ file }) => file === "kubernetes-kinds-1.ts");
  using project = new Project({ [program!.file]: program!.text });
  expect(await runProgram(project, program!)).toEqual([program!.prints, ""]);
});

test("the program on the page about the security of operators prints what the page says", { timeout: 180_000 }, async ({ expect }) => {
  const [program] = programsOf("packages/bridge/docs").filter(({ file }) => file === "kubernetes-security-1.ts");
  using project = new Project({ [program!.file]: program!.text });
  expect(await runProgram(project, program!)).toEqual([program!.prints, ""]);
});
