// SPDX-License-Identifier: Apache-2.0
/* Errors of each source with their ranges. Their whole texts are compared with the Go library in tests/conformance. */
import { describe, test } from "vitest";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/range.ts";
import { parseJson, parseJsonExpression } from "./parse.ts";

type Row = readonly [source: string, ...errors: readonly string[]];

function summariesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
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
    expect(summariesOf(parseJsonExpression(source, "").diagnostics)).toEqual(errors);
  });

  test("a root of another type is an error with an empty body", ({ expect }) => {
    const { body, diagnostics } = parseJson("1", "");
    expect(summariesOf(diagnostics)).toEqual(["Root value must be object @ 1,1-2"]);
    expect(body.justAttributes().attributes.size).toBe(0);
  });

  test.for([
    ["1", "jsonNumber"],
    ['[{"a": 1}]', "jsonArray"],
    ['{"a": 1}', "jsonObject"],
    ["null", "jsonNull"],
    ["$", "jsonInvalid"],
  ])("the root of %j is a %s node", ([source, kind], { expect }) => {
    const { root } = parseJson(source!, "main.tf.json");
    expect(root.kind).toBe(kind);
    expect(root.range.filename).toBe("main.tf.json");
  });

  test("invalid UTF-8 bytes count as one byte each, and are U+FFFD in values", ({ expect }) => {
    expect(summariesOf(parseJsonExpression(Uint8Array.from([0x22, 0xed]), "").diagnostics)).toEqual(["Invalid JSON string @ 1,3-4"]);
    const { expression, diagnostics } = parseJsonExpression(Uint8Array.from([0x22, 0xff, 0x22]), "");
    expect(diagnostics).toEqual([]);
    expect(expression.node).toMatchObject({ kind: "jsonString", value: "\ufffd" });
  });

  test("nesting beyond the limit is an error", ({ expect }) => {
    const { diagnostics } = parseJsonExpression("[".repeat(100_000), "");
    expect(summariesOf(diagnostics)).toEqual(["Nesting too deep @ 1,501-502"]);
  });
});
