// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { jsonErrorIndex } from "./json-syntax-error.ts";

describe("jsonErrorIndex", () => {
  test.for([
    ['{"a":[1,]}', 8],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["{a:1}", 1],
    ["[1 2]", 3],
    ["[}", 1],
    ["{]", 1],
    ["[tru]", 4],
    ["[nul", 4],
    ["[01]", 2],
    ["[-]", 2],
    ["[1.]", 3],
    ["[1e+]", 4],
    ["[.5]", 1],
    ['["\\x"]', 3],
    ['["\\u12G4"]', 6],
    ['["\n"]', 2],
    ['["a', 3],
    ["[1] 2", 4],
    [" ", 1],
    ["", 0],
  ] as const)("is the first invalid character of %j", ([text, index], { expect }) => {
    expect(jsonErrorIndex(text)).toBe(index);
  });

  test("is the end of every valid text, and of its prefixes", ({ expect }) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), fc.nat(), (value, indented, cut) => {
        const text = JSON.stringify(value, undefined, indented ? 2 : 0);
        const prefix = text.slice(0, cut % (text.length + 1));
        expect(jsonErrorIndex(text)).toBe(text.length);
        expect(jsonErrorIndex(prefix)).toBe(prefix.length);
      }),
      { numRuns: 500 },
    );
  });
});
