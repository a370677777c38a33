// SPDX-License-Identifier: Apache-2.0
import { number, of } from "@tenon/cty";
import { describe, test } from "vitest";
import { parseExpression, parseTemplate } from "../parse/parse.ts";
import { print, printTemplate } from "../print/print.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { rootName } from "../syntax/traversal.ts";
import { transform } from "./transform.ts";

const parsed = (source: string): NativeExpression => parseExpression(source, "").expression;

/** Puts 1 in place of each reference to a variable whose name begins with `v`, unless a `for` expression defines it. */
const withOnes = (expression: NativeExpression): NativeExpression =>
  transform(expression, (node, { variables }) => {
    if (node.kind !== "scopeTraversal") return undefined;
    const name = rootName(node.traversal)!;
    return name.startsWith("v") && !variables.has(name) ? { kind: "literal", value: of(number, 1), range: node.range } : undefined;
  });

describe("transform", () => {
  test.for([
    ["v", "1"],
    ["(v.a)", "(1)"],
    ["f(a, v)", "f(a, 1)"],
    ["f(v)[0].x", "f(1)[0].x"],
    ["v ? v : a", "1 ? 1 : a"],
    ["a + v * -v", "a + 1 * -1"],
    ["a[v]", "a[(1)]"],
    ["[a, v]", "[a, 1]"],
    ["{ 1 = v }", "{ 1 = 1 }"],
    ["f(v)[*].id", "f(1)[*].id"],
    ["{ v = v, (v) = a, true = v }", "{ v = 1, (1) = a, true = 1 }"],
    ['{ "${f(v)}" = a }', '{ "${f(1)}" = a }'],
    ["[for v in v : v + va if v]", "[for v in 1 : v + 1 if v]"],
    ["{ for va, vb in v : va => [vb, v]... }", "{ for va, vb in 1 : va => [vb, 1]... }"],
    ["[for v in a : [for w in v : v]]", "[for v in a : [for w in v : v]]"],
    ['"a${v}b"', '"a${1}b"'],
    ['"${v}"', '"${1}"'],
  ])("replaces parts of %s", ([source, expected], { expect }) => {
    expect(print(withOnes(parsed(source!)))).toBe(print(parsed(expected!)));
  });

  test("replaces parts of template directives", ({ expect }) => {
    const template = (source: string): NativeExpression => parseTemplate(source, "").expression;
    expect(printTemplate(withOnes(template("%{ if v }${v}%{ endif }%{ for v in v }${v}%{ endfor }")))).toBe(
      "%{ if 1 }${1}%{ endif }%{ for v in 1 }${v}%{ endfor }",
    );
  });

  test("shares unchanged nodes, and does not change the given tree", ({ expect }) => {
    const expression = parsed("[f(a[*].b), v, { for k, x in xs : k => x if x != null }]");
    const before = print(expression);
    expect(transform(expression, () => undefined)).toBe(expression);
    const changed = withOnes(expression);
    expect(print(expression)).toBe(before);
    if (expression.kind !== "tuple" || changed.kind !== "tuple") throw new Error("not a tuple");
    expect(changed.elements[0]).toBe(expression.elements[0]);
    expect(changed.elements[2]).toBe(expression.elements[2]);
  });

  test("does not offer the parts of a replacement, nor bare words", ({ expect }) => {
    const offered: string[] = [];
    transform(parsed("{ a = b + c, (d) = e, f.g = h }"), (node) => {
      if (node.kind === "scopeTraversal") offered.push(rootName(node.traversal)!);
      return node.kind === "binary" ? parsed("x + y") : undefined;
    });
    expect(offered).toEqual(["d", "e", "h"]);
  });

  test("accepts a chain of operators of any length", ({ expect }) => {
    const chain = parsed(Array.from({ length: 20_000 }, () => "v").join(" + "));
    expect(print(withOnes(chain)).slice(0, 9)).toBe("1 + 1 + 1");
  });
});
