// SPDX-License-Identifier: Apache-2.0
/* What is wrong with each source, and where; the texts in full, and that the Go library says the same, are tested against it. */
import { describe, test } from "vitest";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/position.ts";
import { parseJson, parseJsonExpression } from "./parse.ts";

type Row = readonly [source: string, ...errors: readonly string[]];

function told(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ summary, subject }) => `${summary} @ ${formatRange(subject!).slice(1)}`);
}

describe("errors in JSON", () => {
  const rows: readonly Row[] = [
    ["", "Missing value @ 1,1-1"],
    ["$", "Invalid start of value @ 1,1-2"],
    ["}", "Missing JSON value @ 1,1-2"],
    ["]", "Missing array element value @ 1,1-2"],
    ["1 2", "Extraneous data after value @ 1,3-4"],
    ["01", "Invalid JSON number @ 1,1-3"],
    ['"a', "Invalid JSON string @ 1,3-4"],
    ['"\\q"', "Invalid JSON string @ 1,4-5"],
    ['"\\u12x"', "Invalid JSON string @ 1,7-8"],
    ["undefined", "Invalid JSON keyword @ 1,1-10"],
    ["True", "Invalid JSON keyword @ 1,1-5"],
    ["{1: 2}", "Invalid object property name @ 1,2-3"],
    ['{"a"}', "Missing object value @ 1,5-6"],
    ['{"a" = 1}', "Missing property value colon @ 1,6-7"],
    ['{"a" 1}', "Missing property value colon @ 1,6-7"],
    ['{"a": 1,}', "Trailing comma in object @ 1,8-9"],
    ['{"a": 1', "Unclosed object @ 1,1-2"],
    ['{"a": 1]', "Mismatched braces @ 1,9-9"],
    ['{"a": 1 "b": 2}', "Missing attribute seperator comma @ 1,16-16"],
    ['{"a": }', "Missing JSON value @ 1,7-8"],
    ["[1,]", "Trailing comma in array @ 1,3-4"],
    ["[1", "Unclosed object @ 1,1-2"],
    ["[1}", "Mismatched brackets @ 1,4-4"],
    ['["a": 1]', "Invalid array value @ 1,9-9"],
    ["[1 2]", "Missing attribute seperator comma @ 1,6-6"],
    ["[,]", "Invalid start of value @ 1,2-3", "Trailing comma in array @ 1,2-3"],
  ];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(told(parseJsonExpression(source, "").diagnostics)).toEqual(errors);
  });

  test("a root that is no object is one, and leaves a body without anything", ({ expect }) => {
    const { body, diagnostics } = parseJson("1", "");
    expect(told(diagnostics)).toEqual(["Root value must be object @ 1,1-2"]);
    expect(body.justAttributes().attributes.size).toBe(0);
  });

  test("bytes that are no UTF-8 count as one each, and are U+FFFD in values", ({ expect }) => {
    expect(told(parseJsonExpression(Uint8Array.from([0x22, 0xed]), "").diagnostics)).toEqual(["Invalid JSON string @ 1,3-4"]);
    const { expression, diagnostics } = parseJsonExpression(Uint8Array.from([0x22, 0xff, 0x22]), "");
    expect(diagnostics).toEqual([]);
    expect(expression.node).toMatchObject({ kind: "jsonString", value: "\ufffd" });
  });

  test("nesting without end is refused, not followed", ({ expect }) => {
    const { diagnostics } = parseJsonExpression("[".repeat(100_000), "");
    expect(told(diagnostics)).toEqual(["Nesting too deep @ 1,501-502"]);
  });
});
