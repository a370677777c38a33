// SPDX-License-Identifier: Apache-2.0
// The programs on the pages of provider-sdk: complete programs compile, run, and print the lines in their comments.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test, vi } from "vitest";
import { Project } from "./project.ts";
import { expectedLines, readDocument, root, snippetsOf } from "./snippets.ts";

// Each program starts a process of its own, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const docs = "packages/provider-sdk/docs";
const programs = readdirSync(join(root, docs))
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) =>
    snippetsOf(readDocument(`${docs}/${page}`))
      .filter(({ language, text, file }) => language === "ts" && (file !== undefined || text.startsWith("import ")))
      .map(({ text, file }, index) => ({
        title: `program ${index + 1} of ${page}`,
        page,
        file: `${page.replace(".md", "")}/${file ?? `${index + 1}.ts`}`,
        text,
        prints: expectedLines(text),
        isPart: file !== undefined,
      })),
  );

let project: Project;
beforeAll(() => {
  project = new Project(Object.fromEntries(programs.map(({ file, text }) => [file, text])));
});
afterAll(() => project[Symbol.dispose]());

const printing = programs.filter(({ prints }) => prints.length > 0);
const silent = programs.filter(({ prints, isPart, text }) => prints.length === 0 && !isPart && !text.includes("@tenon/plugin-host"));

test("every kind of component has a program", ({ expect }) => {
  const pages = new Set(printing.map(({ page }) => page));
  for (const kind of ["provider", "resource", "data-source", "ephemeral-resource", "function", "list-resource", "action", "state-store"]) {
    expect(pages).toContain(`${kind}.md`);
  }
});

test.for(printing)("$title prints the lines in its comments", async ({ file, prints }, { expect }) => {
  const { stdout, stderr } = await project.run([file]);
  expect([stdout.trimEnd().split("\n"), stderr]).toEqual([prints, ""]);
});

test.for(silent)("$title runs", async ({ file }, { expect }) => {
  expect((await project.run([file])).stderr).toBe("");
});

test("all programs compile", async ({ expect }) => {
  expect(await project.compile(programs.map(({ file }) => file))).toEqual([]);
});
