// SPDX-License-Identifier: Apache-2.0
/* Errors of each source with their ranges. Their whole texts are compared with the Go library in tests/conformance. */
import { describe, test } from "vitest";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/range.ts";
import { parseConfig, parseExpression, parseTemplate, parseTraversal, parseTraversalPartial } from "./parse.ts";

type Row = readonly [source: string, ...errors: readonly string[]];

function summariesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ summary, subject }) => `${summary} @ ${formatRange(subject!).slice(1)}`);
}

describe("errors in a file", () => {
  const rows: readonly Row[] = [
    [
      "a = b & c | d ^ ~e & f\n",
      "Unsupported operator @ 1,7-8",
      "Unsupported operator @ 1,11-12",
      "Unsupported operator @ 1,15-16",
      "Unsupported operator @ 1,17-18",
      "Missing newline after argument @ 1,7-8",
    ],
    [
      "a = `b`\nc = `d`\n",
      "Invalid character @ 1,5-6",
      "Invalid character @ 2,5-6",
      "Invalid expression @ 1,5-6",
      "Invalid expression @ 2,5-6",
    ],
    [
      "a = 'b'\nc = 'd'\n",
      "Invalid character @ 1,5-6",
      "Invalid character @ 2,5-6",
      "Invalid expression @ 1,5-6",
      "Invalid expression @ 2,5-6",
    ],
    ["a = 1; b = 2;\n", "Invalid character @ 1,6-7", "Missing newline after argument @ 1,6-7"],
    ['a = "b\nc"\n', "Invalid multi-line string @ 1,7-2,1", "Unterminated template string @ 1,7-2,1"],
    ["a = “b”\n", "Invalid character @ 1,5-6", "Invalid character @ 1,7-8", "Invalid expression @ 1,5-6"],
    ["a = @b\n", "Invalid character @ 1,5-6", "Invalid expression @ 1,5-6"],
    ['a = "\\\n"\n', "Invalid character @ 1,6-7", "Invalid multi-line string @ 1,7-2,1", "Unterminated template string @ 1,6-7"],
    ["a = 1\na = 2\n", "Attribute redefined @ 2,1-2"],
    ['"a" = 1\n', "Invalid argument name @ 1,1-2"],
    ["= 1\n", "Argument or block definition required @ 1,1-2"],
    ["a\n", "Argument or block definition required @ 1,1-2"],
    ["a {\n", "Unclosed configuration block @ 1,3-4"],
    ["a { b = 1", "Unclosed configuration block @ 1,3-4"],
    ["a { ) }\n", "Argument or block definition required @ 1,5-6"],
    ["a { b { } }\n", "Argument definition required @ 1,5-8"],
    ["a { b }\n", "Argument or block definition required @ 1,5-6"],
    ["a { b = 1, c = 2 }\n", "Invalid single-argument block definition @ 1,10-11"],
    ["a { b = 1\n}\n", "Invalid single-argument block definition @ 1,10-2,1"],
    ["a { b = 1 c }\n", "Invalid single-argument block definition @ 1,11-12"],
    ["a = 1 b\n", "Missing newline after argument @ 1,7-8"],
    ["a = 1,\n", "Unexpected comma after argument @ 1,6-7"],
    ['a "b" = 1\n', "Invalid block definition @ 1,7-8"],
    ["a b\n{\n}\n", "Invalid block definition @ 1,4-2,1", "Argument or block definition required @ 2,1-2"],
    ["a b 1 {\n}\n", "Invalid block definition @ 1,5-6"],
    ["a {} b\n", "Missing newline after block definition @ 1,6-7"],
    ['a "${b}" "%{ c }" {}\n', "Invalid string literal @ 1,4-6", "Invalid string literal @ 1,11-13"],
    ['a "b', "Unterminated string literal @ 1,5-5", "Invalid block definition @ 1,5-5"],
    ['a "b\n" {}\n', "Invalid multi-line string @ 1,5-2,1", "Invalid string literal @ 1,5-2,1"],
  ];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(summariesOf(parseConfig(source, "").diagnostics)).toEqual(errors);
  });
});

describe("errors in an expression", () => {
  const rows: readonly Row[] = [
    ["", "Missing expression @ 1,1-1"],
    ["+", "Invalid expression @ 1,1-2"],
    ["a b", "Extra characters after expression @ 1,3-4"],
    ["a ? b", "Missing false expression in conditional @ 1,6-6"],
    ["(a", "Unbalanced parentheses @ 1,3-3"],
    ["(a b)", "Unbalanced parentheses @ 1,4-5"],
    ["1..2", "Invalid number literal @ 1,1-5"],
    ["a.", "Invalid attribute name @ 1,3-3"],
    ["a.b. + 1", "Invalid attribute name @ 1,6-7"],
    ["a.0.1", "Invalid legacy index syntax @ 1,3-6"],
    ["a.*.0.1", "Invalid legacy index syntax @ 1,3-4"],
    ["a.*.b.*", "Nested splat expression not allowed @ 1,7-8"],
    ["a.*.+", "Invalid attribute name @ 1,3-4"],
    ["a[*.b]", "Missing close bracket on splat index @ 1,4-5"],
    ["a[0", "Missing close bracket on index @ 1,4-4"],
    ["a[0 1]", "Missing close bracket on index @ 1,5-6"],
    ["a::", "Missing function name @ 1,4-4"],
    ["a::1(b)", "Missing function name @ 1,4-5"],
    ["a::b + c()", "Missing open parenthesis @ 1,6-7"],
    ["f(a", "Unterminated function call @ 1,1-3"],
    ["f(a b)", "Missing argument separator @ 1,5-6"],
    ["f(a..., b)", "Missing closing parenthesis @ 1,4-7"],
    ["f(+)", "Invalid expression @ 1,3-4"],
    ["[a", "Unterminated tuple constructor expression @ 1,1-2"],
    ["[a b]", "Missing item separator @ 1,4-5"],
    ["{a", "Unterminated object constructor expression @ 1,1-2"],
    ["{a = 1", "Unterminated object constructor expression @ 1,1-2"],
    ["{a, b}", "Missing attribute value @ 1,3-4"],
    ["{a\n}", "Missing attribute value @ 1,3-2,1"],
    ["{foo1.2_bar = 1}", "Missing key/value separator @ 1,8-12"],
    ['{a "b"}', "Missing key/value separator @ 1,4-5"],
    ["{a = 1 b = 2}", "Missing attribute separator @ 1,8-9"],
    ["[for 1 in a : b]", "Invalid 'for' expression @ 1,6-7"],
    ["[for k, 1 in a : b]", "Invalid 'for' expression @ 1,9-10"],
    ["[for k of a : b]", "Invalid 'for' expression @ 1,8-10"],
    ["[for k in a => b]", "Invalid 'for' expression @ 1,13-15"],
    ["[for k in a : b c]", "Invalid 'for' expression @ 1,17-18"],
    ["[for k in a : k => b]", "Invalid 'for' expression @ 1,15-16"],
    ["[for k in a : b...]", "Invalid 'for' expression @ 1,16-19"],
    ["{for k in a : b}", "Invalid 'for' expression @ 1,15-16"],
    ["[for k in + : b]", "Invalid expression @ 1,11-12"],
    ["[for k in a : +]", "Invalid expression @ 1,15-16"],
    ["[for k in a : b if +]", "Invalid expression @ 1,20-21"],
    ['"\\q"', "Invalid escape sequence @ 1,2-4"],
    ['"\\u12"', "Invalid escape sequence @ 1,2-6"],
    ['"\\U12"', "Invalid escape sequence @ 1,2-6"],
    ['"\\ud800\\UFFFFFFFF"', "Invalid escape sequence @ 1,2-8", "Invalid escape sequence @ 1,8-18"],
    ['"a', "Unterminated template string @ 1,3-3"],
    ['"${a"', "Unclosed template interpolation sequence @ 1,2-4"],
    ['"${a', "Unclosed template interpolation sequence @ 1,2-4"],
    ['"${a:b}"', "Extra characters after interpolation expression @ 1,5-6"],
    ['"${a b}"', "Extra characters after interpolation expression @ 1,6-7"],
  ];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(summariesOf(parseExpression(source, "").diagnostics)).toEqual(errors);
  });
});

describe("errors in a template", () => {
  const rows: readonly Row[] = [
    ["%{", "Invalid template directive @ 1,3-3"],
    ["%{ 1 }", "Invalid template directive @ 1,4-5"],
    ["%{ elif a }", "Invalid template control keyword @ 1,4-8"],
    ["%{ something }", "Invalid template control keyword @ 1,4-13"],
    ["%{ if a b }c%{ endif }", "Extra characters in if marker @ 1,9-10"],
    ["%{ for 1 }", "Invalid 'for' directive @ 1,8-9"],
    ["%{ for a, 1 }", "Invalid 'for' directive @ 1,11-12"],
    ["%{ for a of b }", "Invalid 'for' directive @ 1,10-12"],
    ["%{ for a in b c }%{ endfor }", "Extra characters in for marker @ 1,15-16"],
    ["%{ if a }b", "Unexpected end of template @ 1,11-11"],
    ["%{ for a in b }c", "Unexpected end of template @ 1,17-17"],
    ["%{ endif }", "Unexpected endif directive @ 1,1-11"],
    ["%{ endfor }", "Unexpected endfor directive @ 1,1-12"],
    ["%{ else }", "Unexpected else directive @ 1,1-10"],
    ["%{ if a }%{ endfor }", "Unexpected endfor directive @ 1,10-21"],
    ["%{ if a }%{ else }%{ else }%{ endif }", "Unexpected else directive @ 1,19-28", "Unexpected endif directive @ 1,28-38"],
    ["%{ for a in b }%{ endif }", "Unexpected endif directive @ 1,16-26"],
    ["%{ for a in b }%{ else }%{ endfor }", "Unexpected else directive @ 1,16-25", "Unexpected endfor directive @ 1,25-36"],
  ];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(summariesOf(parseTemplate(source, "").diagnostics)).toEqual(errors);
  });
});

describe("errors in a reference", () => {
  const rows: readonly Row[] = [
    ["1", "Variable name required @ 1,1-2"],
    ["a.*", "Attribute name required @ 1,3-4"],
    ["a.1", "Attribute name required @ 1,3-4"],
    ["a[b]", "Index value required @ 1,3-4"],
    ["a[*]", "Attribute name required @ 1,3-4"],
    ["a[0", "Unclosed index brackets @ 1,4-4"],
    ['a["b"', "Unclosed index brackets @ 1,6-6"],
    ["a b", "Invalid character @ 1,3-4"],
  ];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(summariesOf(parseTraversal(source, "").diagnostics)).toEqual(errors);
  });
});

describe("errors in a reference with splats", () => {
  const rows: readonly Row[] = [["a[*", "Unclosed index brackets @ 1,4-4"]];
  test.for(rows)("%j", ([source, ...errors], { expect }) => {
    expect(summariesOf(parseTraversalPartial(source, "").diagnostics)).toEqual(errors);
  });
});
