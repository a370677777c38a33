// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
import { stackOf } from "./error-stack.ts";
import { inSources } from "./source-positions.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon stacks "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in `src/program.ts`, compiled to `path` with a source map as the compiler writes it. */
function compiled(path: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "function a() {\n  throw new Error(1);\n}\na();\n");
  // Line 2 column 3 of the output is line 12 column 5 of the source; line 4 column 1 is line 20 column 1, where `a` is `start`.
  const map = { version: 3, sources: ["../src/program.ts"], names: ["start"], mappings: ";EAWI;;AAQJA" };
  writeFileSync(`${file}.map`, JSON.stringify(map));
  return file;
}

describe("inSources", () => {
  test.for(["file:///", "/"])("maps the frames of a compiled file given as %s", (form, { expect }) => {
    const file = compiled("dist/program.js");
    const shown = form === "/" ? file : pathToFileURL(file).href;
    const stack = ["Error: 1", `    at a (${shown}:2:3)`, `    at ${shown}:4:1`, "    at node:internal/main:1:1"].join("\n");
    expect(inSources(stack)).toBe(
      ["Error: 1", "    at start (src/program.ts:12:5)", "    at src/program.ts:20:1", "    at node:internal/main:1:1"].join("\n"),
    );
  });

  test("keeps a name that the caller does not use: that of a property", ({ expect }) => {
    const file = compiled("dist/named.js");
    expect(inSources(`    at create (${file}:2:3)\n    at ${file}:4:1`)).toBe(
      "    at create (src/program.ts:12:5)\n    at src/program.ts:20:1",
    );
  });

  test.for(["node_modules/dependency/index.js", "dist/malformed.js", "dist/unmapped.js"])("leaves %s as it is", (path, { expect }) => {
    const file = compiled(path);
    if (path.includes("malformed")) writeFileSync(`${file}.map`, "{");
    if (path.includes("unmapped")) rmSync(`${file}.map`);
    const stack = `Error: 1\n    at a (${file}:2:3)`;
    expect(inSources(stack)).toBe(stack);
  });

  test("maps the stack that Node makes", ({ expect }) => {
    const file = compiled("dist/run.mjs");
    const module = JSON.stringify(join(import.meta.dirname, "source-positions.ts"));
    const program = `import(${JSON.stringify(file)}).catch(async (error) => console.log((await import(${module})).inSources(error.stack)));`;
    const stack = execFileSync(process.execPath, ["-e", program], { encoding: "utf8" });
    expect(stack).toMatch(/^Error: 1\n {4}at start \(src\/program\.ts:12:5\)\n {4}at src\/program\.ts:20:1\n/);
  });
});

describe("stackOf", () => {
  const withStack = (error: Error, ...frames: readonly string[]): Error =>
    Object.assign(error, { stack: [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n") });

  test("contains the causes without the frames that they share", ({ expect }) => {
    const cause = withStack(new TypeError("inner"), "read (a.ts:1:1)", "load (a.ts:2:2)", "main (a.ts:9:9)", "run (a.ts:10:1)");
    const error = withStack(new Error("outer", { cause }), "load (a.ts:3:3)", "main (a.ts:9:9)", "run (a.ts:10:1)");
    expect(stackOf(error).split("\n")).toEqual([
      "Error: outer",
      "    at load (a.ts:3:3)",
      "    at main (a.ts:9:9)",
      "    at run (a.ts:10:1)",
      "caused by TypeError: inner",
      "    at read (a.ts:1:1)",
      "    at load (a.ts:2:2)",
      "    (2 more frames as above)",
    ]);
  });

  test("contains the errors of an AggregateError, and causes that are not errors", ({ expect }) => {
    const parts = [withStack(new Error("one"), "f (a.ts:1:1)"), "two"];
    const error = withStack(new AggregateError(parts, "all", { cause: { code: 7 } }), "g (a.ts:2:2)");
    expect(stackOf(error).split("\n")).toEqual([
      "AggregateError: all",
      "    at g (a.ts:2:2)",
      "contains Error: one",
      "    at f (a.ts:1:1)",
      "contains two",
      "caused by { code: 7 }",
    ]);
  });

  test("ends for an error that is its own cause", ({ expect }) => {
    const error = new Error("again");
    error.cause = error;
    expect(stackOf(error).match(/caused by/g)).toHaveLength(5);
  });

  test.for([
    ["text", "text"],
    [undefined, "undefined"],
    [{ a: 1 }, "{ a: 1 }"],
  ])("is the text of %j when it was thrown", ([thrown, text], { expect }) => {
    expect(stackOf(thrown)).toBe(text);
  });
});
