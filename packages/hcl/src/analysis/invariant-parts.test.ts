// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parseExpression } from "../parse/parse.ts";
import { print } from "../print/print.ts";
import { rootName } from "../syntax/traversal.ts";
import { invariantParts, type Variance } from "./invariant-parts.ts";

const variance: Variance = {
  varies: (reference) => rootName(reference) === "each",
  isImpure: (name) => name === "uuid",
  takesExpressions: (name) => name === "try",
};

describe("the invariant parts of an expression", () => {
  test.for<[string, ...string[]]>([
    ["a", "a"],
    ["1 + 2", "1 + 2"],
    ["1"],
    ["each.key"],
    ["a + each.key", "a"],
    ["f(a, b) + each.key", "f(a, b)"],
    ["[each.key, a.b, 1]", "a.b"],
    ["{ a = each.key, (b) = c }", "(b)", "c"],
    ["a[each.key]", "a"],
    ["[for x in xs : x + y]", "[for x in xs : x + y]"],
    ["[for x in each.value : x + y]", "y"],
    ["[for x in each.value : [for y in ys : y + x]]", "ys"],
    ["[for x in each.value : [for y in ys : y]]", "[for y in ys : y]"],
    ["[for x in each.value : [for x in x : x]]"],
    ["[for x in xs : x + each.key]", "xs"],
    ["each.value[*].id"],
    ["a[*].id[each.key]", "a"],
    ["each.value[*][k]", "k"],
    ["[uuid(), f(a)]", "f(a)"],
    ["f(uuid(), a)", "a"],
    ["try(a.b, c)", "try(a.b, c)"],
    ["try(each.value, a.b)"],
    ['"${a}-${each.key}"', "a"],
    ["each.key == a ? b : c", "a", "b", "c"],
  ])("%s", ([source, ...expected], { expect }) => {
    expect(invariantParts(parseExpression(source, "").expression, variance).map((part) => print(part))).toEqual(expected);
  });
});
