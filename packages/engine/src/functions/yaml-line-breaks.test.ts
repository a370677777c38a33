// SPDX-License-Identifier: Apache-2.0
// The expected values are those of OpenTofu 1.12.6.
import { entriesOf, stringOf } from "@tenon/cty/unstable/native";
import { describe, expect, test } from "vitest";
import { decodeYaml } from "./yaml-decode.ts";

describe("line breaks of YAML 1.1", () => {
  test.for<readonly [source: string, text: string]>([
    ["\u2029x", "x"],
    ["x\u2028# comment", "x"],
    ["a \u2028 b", "a\u2028b"],
    ["a\r\rb", "a\nb"],
    ["a\x85b", "a b"],
    ["'it''s \u2028\n b'", "it's\u2028\nb"],
    ['"a\\t \u2028 b"', "a\t\u2028b"],
    ['"a\\\n  \u2029\n b"', "a\u2029\nb"],
    ['"a\\\n  \n b"', "a\nb"],
    ["|\u2028 a\u2028  b\u2028", "a\u2028 b\u2028"],
    ["|2-\n   a\u2028  b\u2028", " a\u2028b"],
    [">+\n a\u2028 b\n c\n\u2028", "a\u2028b c\n\u2028"],
    [">+\n x\n  ", "x\n "],
    [">+\n x\n ", "x\n"],
  ])("%j is %j", ([source, text]) => {
    expect(stringOf(decodeYaml(source))).toBe(text);
  });

  test("end the entries of a mapping", () => {
    const entries = [...entriesOf(decodeYaml("a: b\u2028c: |\u2028  d\u2028e: f\x85"))];
    expect(entries.map(([name, value]) => [name, stringOf(value)])).toEqual([
      ["a", "b"],
      ["c", "d\u2028"],
      ["e", "f"],
    ]);
  });

  test.for(['"a\\"', "'it''", '- "a\\"'])("%j lacks its closing quote", (source) => {
    expect(() => decodeYaml(source)).toThrow("found unexpected end of stream");
  });
});
