// SPDX-License-Identifier: Apache-2.0
// Runs every `@example` of this package that states a result (`// => value`).
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const source = join(import.meta.dirname, "..", "src");

interface Example {
  readonly file: string;
  readonly code: string;
}

function examples(): Example[] {
  const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.startsWith("gen") && !file.endsWith(".test.ts"));
  return files.sort().flatMap((file) => {
    const comments = readFileSync(join(source, file), "utf8").match(/\/\*\*[\s\S]*?\*\//g) ?? [];
    return comments.flatMap((comment) => {
      const [, example] = /@example\n([\s\S]*?)(?=\n \* @|\n \*\/)/.exec(comment) ?? [];
      const code = example?.replaceAll(/^ \* ?/gm, "");
      return code?.includes("// =>") ? [{ file, code }] : [];
    });
  });
}

/** Returns the program of an example, in which `a // => b`, on one line or two, is a comparison. */
function asProgram({ file, code }: Example): string {
  const body = code.replaceAll(/^(.+?);?\s*\/\/ => (.+)$/gm, "same($1, $2);");
  return `
    import { deepStrictEqual } from "node:assert";
    const same = (actual, expected) => (compared++, deepStrictEqual(actual, expected));
    let compared = 0;
    Object.assign(globalThis, await import(${JSON.stringify(join(source, file))}));
    ${body}
    console.log(compared);
  `;
}

test("finds the examples of the package", ({ expect }) => {
  expect(examples().map(({ file }) => file)).toEqual([
    "handshake/handshake-line.ts",
    "handshake/protocol-version.ts",
    "log-line/format-log-line.ts",
    "log-line/panic-text.ts",
    "reattach.ts",
  ]);
});

test.for(examples())("the example in $file has the stated results", (example, { expect }) => {
  const program = asProgram(example);
  const compared = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(Number(compared)).toBe(example.code.split("// =>").length - 1);
});
