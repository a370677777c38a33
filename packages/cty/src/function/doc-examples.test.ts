// SPDX-License-Identifier: Apache-2.0
// Runs every `@example` of the functions. The last line of each example is the expected result.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { test } from "vitest";
import * as cty from "../index.ts";
import * as framework from "./index.ts";
import * as operators from "../operators/index.ts";
import * as stdlib from "./stdlib/index.ts";

const scope: Readonly<Record<string, unknown>> = { ...cty, ...operators, ...framework, ...stdlib };

interface Example {
  readonly name: string;
  readonly code: string;
  readonly expected: string;
}

function examples(): Example[] {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter((file) => !file.endsWith(".test.ts"));
  return files.sort().flatMap((file) => {
    const documented = readFileSync(join(import.meta.dirname, file), "utf8").matchAll(
      /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport (?:const|function|class) (\w+)/g,
    );
    return Array.from(documented, ([, comment = "", name = ""]) => {
      const [, code = "", expected = ""] = /@example\n([^]*?) \* \/\/ => (.*)\n/.exec(comment) ?? [];
      return { name, code: code.replaceAll(/^ \* ?/gm, "").trim(), expected };
    }).filter(({ expected }) => expected !== "");
  });
}

test("every function has an example", ({ expect }) => {
  const shown = new Set(examples().map(({ name }) => name));
  expect(Object.keys(stdlib).filter((name) => name.endsWith("Func") && !shown.has(name))).toEqual([]);
  expect(shown.size).toBeGreaterThanOrEqual(81);
});

test.for(examples())("the example of $name has the stated result", ({ code, expected }, { expect }) => {
  const statements = code.split("\n");
  const body = [...statements.slice(0, -1), `return ${statements.at(-1)}`].join("\n");
  const result = compileFunction(body, Object.keys(scope))(...Object.values(scope)) as cty.Value;
  expect(cty.goString(result)).toBe(expected);
});
