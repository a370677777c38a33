// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { countMembers, namesWithoutDocstring } from "./docstring-check.ts";
import { importsThatGoUp } from "./folder-order-check.ts";
import { PackageStructure } from "./package-structure.ts";
import { parseSourceFile, type SourceFile } from "./source-file.ts";
import { unlistedCircles } from "./type-circle-check.ts";

/** Parses source texts by path. */
function sources(texts: Readonly<Record<string, string>>): readonly SourceFile[] {
  return Object.entries(texts).map(([path, text]) => parseSourceFile(path, text));
}

describe("namesWithoutDocstring", () => {
  test.for([
    "export const limit = 1;",
    "export function read(): void {}",
    "export class Reader {}",
    "export interface Options {}",
    "export type Kind = string;",
    "function read(): void {}\nexport { read };",
    "// Reads.\nexport function read(): void {}",
    "/* Reads. */\nexport function read(): void {}",
    "/** */\nexport function read(): void {}",
    "/** @internal */\nexport function read(): void {}",
    "/** Reads. */\nconst other = 1;\nexport function read(): void {}",
    "/** The module. */\nimport { a } from './a.ts';\nexport const b = a;",
  ])("finds the name in %j", (text, { expect }) => {
    expect(namesWithoutDocstring(sources({ "a.ts": text }))).toHaveLength(1);
  });

  test.for([
    "/** Limit in bytes. */\nexport const limit = 1;",
    "/**\n * Reads.\n *\n * @throws Error always.\n */\nexport async function read(): Promise<void> {}",
    "/** Reads. */\nexport function read(text: string): void;\nexport function read(bytes: Uint8Array): void;\nexport function read(): void {}",
    "/** Options. */\nexport interface Options {}\nexport const Options = 1;",
    "/** Reads. */\nfunction read(): void {}\nexport { read };",
    "export { read } from './read.ts';",
    "export * from './read.ts';",
    "const hidden = 1;\nfunction read(): number { return hidden; }\nread();",
  ])("accepts %j", (text, { expect }) => {
    expect(namesWithoutDocstring(sources({ "a.ts": text }))).toEqual([]);
  });

  test("names file, line and name", ({ expect }) => {
    expect(namesWithoutDocstring(sources({ "value/a.ts": "\n\nexport type Kind = string;" }))).toEqual([
      "value/a.ts:3 exports Kind without a docstring",
    ]);
  });
});

test("countMembers counts the members of exported interfaces and object types", ({ expect }) => {
  const text = `
    export interface A { /** Documented. */ readonly a: string; readonly b: number; }
    export type B = { /** Documented. */ c(): void; d: string };
    interface Hidden { e: string }`;
  expect(countMembers(sources({ "a.ts": text }))).toEqual({ total: 4, documented: 2 });
});

describe("importsThatGoUp", () => {
  const order = ["error.ts", "value", "server/call", "server", "."];

  test.for([
    ["value/a.ts", "import { b } from '../server/b.ts';"],
    ["value/a.ts", "import type { B } from '../server/b.ts';"],
    ["value/a.ts", "export { b } from '../server/b.ts';\nexport const c = 1;"],
    ["value/a.ts", "export const load = () => import('../server/b.ts');"],
    ["value/a.ts", "export type B = import('../server/b.ts').B;"],
    ["server/call/a.ts", "import { b } from '../b.ts';"],
    ["error.ts", "import { b } from './value/b.ts';"],
    ["server/a.ts", "import { b } from '../provider.ts';"],
  ] as const)("finds one in %s: %s", ([path, text], { expect }) => {
    const others = { "server/b.ts": "", "server/call/b.ts": "", "value/b.ts": "", "error.ts": "", "provider.ts": "" };
    expect(importsThatGoUp(sources({ ...others, [path]: text }), order)).toEqual([expect.stringContaining("further up")]);
  });

  test("accepts imports that go down, imports within a place, and other packages", ({ expect }) => {
    const files = sources({
      "error.ts": "import { test } from 'vitest';",
      "value/a.ts": "import { e } from '../error.ts';\nimport { b } from './b.ts';",
      "value/b.ts": "import type { a } from './a.ts';",
      "server/call/c.ts": "import { a } from '../../value/a.ts';",
      "server/d.ts": "import { c } from './call/c.ts';",
      "provider.ts": "import { d } from './server/d.ts';",
    });
    expect(importsThatGoUp(files, order)).toEqual([]);
  });

  test("accepts an entry point with re-exports only", ({ expect }) => {
    const files = sources({
      "value/index.ts": "export { b } from '../server/b.ts';\nexport type { C } from '../server/b.ts';",
      "server/b.ts": "",
    });
    expect(importsThatGoUp(files, ["value", "server"])).toEqual([]);
  });

  test("finds files without a place and places without a file", ({ expect }) => {
    expect(importsThatGoUp(sources({ "new/a.ts": "export const a = 1;" }), ["old"])).toEqual([
      "new/a.ts has no place in the order of folders",
      "the order of folders names old, which has no file",
    ]);
  });
});

describe("unlistedCircles", () => {
  const circle = {
    "type.ts": "import type { Value } from './value.ts';",
    "value.ts": "import { child } from './child.ts';",
    "child.ts": "export type { Type } from './type.ts';",
    "outside.ts": "import { Value } from './value.ts';",
  };
  const files = ["child.ts", "type.ts", "value.ts"];

  test("finds every file of a circle of type-only imports", ({ expect }) => {
    expect(unlistedCircles(sources(circle), [])).toEqual([
      "type.ts is in a circle of 3 files: it imports value.ts",
      "value.ts is in a circle of 3 files: it imports child.ts",
      "child.ts is in a circle of 3 files: it imports type.ts",
    ]);
  });

  test("finds two separate circles, and a file that imports itself", ({ expect }) => {
    const other = { "a.ts": "import './b.ts';", "b.ts": "import './a.ts'; import './type.ts';", "self.ts": "import './self.ts';" };
    expect(unlistedCircles(sources({ ...circle, ...other }), [{ files, reason: "…" }])).toEqual([
      "a.ts is in a circle of 2 files: it imports b.ts",
      "b.ts is in a circle of 2 files: it imports a.ts",
      "self.ts is in a circle of 1 files: it imports self.ts",
    ]);
  });

  test("accepts a listed circle, but not when it has more files", ({ expect }) => {
    expect(unlistedCircles(sources(circle), [{ files, reason: "…" }])).toEqual([]);
    const grown = { ...circle, "child.ts": "import type { Type } from './type.ts'; import './outside.ts';" };
    expect(unlistedCircles(sources(grown), [{ files, reason: "…" }])).toHaveLength(5);
  });

  test("finds a listed circle that does not exist", ({ expect }) => {
    expect(unlistedCircles(sources({ "a.ts": "" }), [{ files: ["a.ts", "b.ts"], reason: "…" }])).toEqual([
      "the list of circles has one that does not exist: a.ts, b.ts",
    ]);
  });

  test("accepts two imports of one file without a circle", ({ expect }) => {
    const diamond = { "a.ts": "import './b.ts'; import './c.ts';", "b.ts": "import './d.ts';", "c.ts": "import './d.ts';", "d.ts": "" };
    expect(unlistedCircles(sources(diamond), [])).toEqual([]);
  });
});

describe("PackageStructure", () => {
  test("reads the sources of every package, without tests and generated code", ({ expect, onTestFinished }) => {
    const root = mkdtempSync(join(tmpdir(), "tenon-structure-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    write("packages/new/package.json", '{ "name": "@tenon/new", "version": "0.0.0", "exports": {} }');
    write("packages/new/src/a.ts", "import './b/b.ts';\nexport const a = 1;");
    write("packages/new/src/b/b.ts", "import '../a.ts';\n/** B. */\nexport const b = 1;");
    write("packages/new/src/a.test.ts", "export const test = 1;");
    write("packages/new/src/gen/c.ts", "export const c = 1;");
    const structure = new PackageStructure(root);
    expect(structure.docstrings().problem).toBe("packages/new/src/a.ts:2 exports a without a docstring");
    expect(structure.folderOrder().problem).toContain("packages/new/src/b/b.ts has no place in the order of folders");
    expect(structure.typeCircles().problem).toContain("packages/new/src/a.ts is in a circle of 2 files: it imports b/b.ts");
  });
});

test("parseSourceFile rejects a text that is not TypeScript", ({ expect }) => {
  expect(() => parseSourceFile("a.ts", "export const = 1;")).toThrow(/a\.ts is not valid TypeScript/);
});
