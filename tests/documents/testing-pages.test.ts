// SPDX-License-Identifier: Apache-2.0
// The pages of testing: the guide's provider and its tests, under node:test and vitest, in process and with tofu.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { lawNames, laws as allLaws } from "@tenon/testing/laws";
import { describe, test } from "vitest";
import { Project } from "./project.ts";
import { expectedLines, readDocument, root, snippetsOf } from "./snippets.ts";

const filesOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    snippetsOf(readDocument(`packages/testing/${page}`)).flatMap(({ language, file, text }) =>
      language === "ts" && file !== undefined ? [[file, text]] : [],
    ),
  );
const guide = filesOf("docs/guide.md");
const laws = filesOf("docs/laws.md");
const readme = snippetsOf(readDocument("packages/testing/README.md")).flatMap(({ language, text }) => (language === "ts" ? [text] : []));

/** The reader's project, with vitest. */
function guideProject(files: Readonly<Record<string, string>>): Project {
  const project = new Project(files);
  for (const name of ["vitest", "fast-check"])
    symlinkSync(join(root, "node_modules", name), join(project.folder, "node_modules", name), "junction");
  return project;
}

/** The summary of a run of node:test. */
const summaryOf = (output: string): Readonly<Record<string, number>> =>
  Object.fromEntries([...output.matchAll(/^# (pass|fail|skipped) (\d+)$/gm)].map(([, name = "", count]) => [name, Number(count)]));

const testArguments = ["--test", "--test-reporter=tap", "note.test.ts"];

describe("the pages of testing", () => {
  test("have programs that compile", { timeout: 180_000 }, async ({ expect }) => {
    expect(Object.keys(guide)).toEqual(["notebook.ts", "note.test.ts", "bucket.test.ts", "laws.test.ts", "matchers.test.ts"]);
    using project = guideProject({
      ...guide,
      ...laws,
      "side-by-side.test.ts": filesOf("docs/coming-from-terraform-plugin-testing.md")["note.test.ts"] ?? "",
    });
    expect(await project.compile([...Object.keys(guide), ...Object.keys(laws), "side-by-side.test.ts"])).toEqual([]);
  });

  test("have an attribute in a check that does not compile when it is misspelled", { timeout: 180_000 }, async ({ expect }) => {
    const misspelled = guide["note.test.ts"]!.replace('expectKnownValue(bread, "folder"', 'expectKnownValue(bread, "foldre"');
    using project = guideProject({ ...guide, "note.test.ts": misspelled });
    expect(await project.compile(["note.test.ts"])).toEqual([expect.stringContaining("foldre")]);
  });

  test("have programs in the README that print the lines in their comments", async ({ expect }) => {
    expect(readme).toHaveLength(2);
    for (const program of readme) {
      using project = new Project({ "program.ts": program });
      expect(await project.run(["program.ts"])).toEqual({ stdout: `${expectedLines(program).join("\n")}\n`, stderr: "" });
    }
  });

  test("have a program that runs test files and prints the lines in its comments", { timeout: 180_000 }, async ({ expect }) => {
    const [program] = snippetsOf(readDocument("packages/testing/docs/test-files.md")).flatMap(({ language, text }) =>
      language === "ts" ? [text] : [],
    );
    using project = new Project({ "program.ts": program! });
    expect(await project.compile(["program.ts"])).toEqual([]);
    const { stdout, stderr } = await project.run(["program.ts"]);
    expect({ lines: stdout.trimEnd().split("\n"), stderr }).toEqual({ lines: expectedLines(program!), stderr: "" });
  });

  test("have programs about the world outside that print the lines in their comments", { timeout: 180_000 }, async ({ expect }) => {
    const snippets = snippetsOf(readDocument("packages/testing/docs/outside.md"));
    const programs = snippets.flatMap(({ language, text }, index) => (language === "ts" ? [[`program${index}.ts`, text] as const] : []));
    using project = new Project(Object.fromEntries(programs));
    expect(programs.length).toBeGreaterThan(0);
    expect(await project.compile(programs.map(([file]) => file))).toEqual([]);
    for (const [file, text] of programs) {
      const expected = expectedLines(text).map((line) => `${line}\n`);
      expect(await project.run([file], { TENON_HTTP: undefined })).toEqual({ stdout: expected.join(""), stderr: "" });
    }
  });

  test("have sweepers that print the report on the page", async ({ expect }) => {
    const snippets = snippetsOf(readDocument("packages/testing/docs/outside.md"));
    using project = new Project(filesOf("docs/outside.md"));
    const report = snippets.find(({ text }) => text.startsWith("swept "))?.text;
    const { stdout, stderr } = await project.run([join(root, "packages/testing/src/sweep/main.ts"), "--sweep", "eu-1,eu-2", "sweepers.ts"]);
    expect(stdout.trimEnd()).toBe(report?.trimEnd());
    expect(stderr).toContain("dns_zone: deleted tenon-test-k3v9x0q2ab in eu-1");
  });

  test("have tests that pass in process under node:test", async ({ expect }) => {
    using project = guideProject(guide);
    const { stdout } = await project.run(testArguments, { TENON_TEST_RUNNER: undefined, NODE_OPTIONS: undefined });
    expect(summaryOf(stdout)).toEqual({ pass: 3, fail: 0, skipped: 0 });
  });

  test("have a test of a state store that passes in process", async ({ expect }) => {
    using project = guideProject(guide);
    const { stdout } = await project.run([...testArguments.slice(0, -1), "bucket.test.ts"], {
      TENON_TEST_RUNNER: undefined,
      NODE_OPTIONS: undefined,
    });
    expect(summaryOf(stdout)).toEqual({ pass: 1, fail: 0, skipped: 0 });
  });

  test("have unit tests and laws that pass in process", async ({ expect }) => {
    expect(Object.keys(laws)).toEqual(["unit.test.ts", "laws.test.ts", "arbitraries.test.ts"]);
    expect(laws["laws.test.ts"]).toBe(guide["laws.test.ts"]);
    using project = guideProject({ ...guide, ...laws });
    const { stdout } = await project.run([...testArguments.slice(0, -1), ...Object.keys(laws)], { NODE_OPTIONS: undefined });
    expect(summaryOf(stdout)).toEqual({ pass: 4, fail: 0, skipped: 0 });
  });

  test("list the laws", ({ expect }) => {
    const rows = [...readDocument("packages/testing/docs/laws.md").matchAll(/^\| `([a-z-]+)` \| (error|warning)/gm)].map(
      ([, name, weight]) => [name, weight],
    );
    expect(rows).toEqual(lawNames.map((name) => [name, allLaws[name].weight]));
  });

  test("have tests that pass under vitest", async ({ expect }) => {
    using project = guideProject(guide);
    const { stdout } = await project.run(["node_modules/vitest/vitest.mjs", "run", "--root", project.folder, "matchers.test.ts"], {
      TENON_TEST_RUNNER: undefined,
      VITEST: undefined,
    });
    expect(stdout).toMatch(/Tests\s+1 passed/);
  });

  test("have a side-by-side case that passes", async ({ expect }) => {
    const files = filesOf("docs/coming-from-terraform-plugin-testing.md");
    using project = guideProject({ "notebook.ts": guide["notebook.ts"]!, ...files });
    expect(summaryOf((await project.run(testArguments)).stdout)).toEqual({ pass: 1, fail: 0, skipped: 0 });
  });

  describePeer(["tofu"], "with tofu", ({ tofu }) => {
    test("have tests that pass under node:test", { timeout: 120_000 }, async ({ expect }) => {
      using project = guideProject(guide);
      const { stdout } = await project.run(testArguments, { TENON_TEST_RUNNER: tofu.path, NODE_OPTIONS: undefined });
      expect(summaryOf(stdout)).toEqual({ pass: 3, fail: 0, skipped: 0 });
    });
  });
});
