// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { formatRange } from "../syntax/range.ts";
import { parseConfig, parseExpression, parseTemplate } from "./parse.ts";
import type { Recovery } from "./parser.ts";

function summariesOf(source: string, recovery: Recovery = "every-item"): readonly string[] {
  return parseConfig(source, "", { recovery }).diagnostics.map(({ summary, subject }) => `${summary} @ ${formatRange(subject!).slice(1)}`);
}

describe("after an error", () => {
  const source = 'a = \nb = 1 2\nc {\n  d = +\n  e = f(1 2)\n}\n= 3\ng {\n  "h" = 1\n  i = [1 2]\n}\nj = k l\n';

  test("reports every further error", ({ expect }) => {
    expect(summariesOf(source)).toEqual([
      "Invalid expression @ 1,5-2,1",
      "Missing newline after argument @ 2,7-8",
      "Invalid expression @ 4,7-8",
      "Missing argument separator @ 5,11-12",
      "Argument or block definition required @ 7,1-2",
      "Invalid argument name @ 9,3-4",
      "Missing item separator @ 10,10-11",
      "Missing newline after argument @ 12,7-8",
    ]);
  });

  test("reports few further errors with first-error recovery", ({ expect }) => {
    expect(summariesOf(source, "first-error")).toEqual(["Invalid expression @ 1,5-2,1", "Missing argument separator @ 5,11-12"]);
  });

  test("keeps valid items before and after it", ({ expect }) => {
    const { body } = parseConfig("a = 1\nb = [\nc = 2\nd {\n  e = (\n  f = 3\n}\ng = 4\n", "");
    expect([...body.attributes.keys()]).toEqual(["a", "b", "c", "g"]);
    expect([...body.blocks[0]!.body.attributes.keys()]).toEqual(["e", "f"]);
  });

  test("reads the items after an unclosed bracket", ({ expect }) => {
    expect(summariesOf("a = [1,\nb = 2 3\nc {\n  d = f(\n  e = 4 5\n}\n")).toEqual([
      "Missing item separator @ 2,3-4",
      "Missing newline after argument @ 2,7-8",
      "Missing argument separator @ 5,5-6",
      "Missing newline after argument @ 5,9-10",
    ]);
  });

  test("reads the items after a thousand unclosed brackets, in linear time", ({ expect }) => {
    const { body, diagnostics } = parseConfig(Array.from({ length: 20_000 }, (_, index) => `a${index} = [1,\n`).join(""), "");
    expect(body.attributes.size).toBe(20_000);
    expect(diagnostics.length).toBe(20_000);
  });

  test("ignores a stray closing brace", ({ expect }) => {
    const { body, diagnostics } = parseConfig("a = 1\n}\nb = 2\n", "");
    expect(diagnostics).toHaveLength(1);
    expect([...body.attributes.keys()]).toEqual(["a", "b"]);
  });

  test("keeps the closing brace of a block after an invalid line", ({ expect }) => {
    const { body, diagnostics } = parseConfig("a {\n  ) }\nb = 1\n", "");
    expect(diagnostics).toHaveLength(1);
    expect(body.attributes.has("b")).toBe(true);
  });
});

describe("nesting beyond the limit", () => {
  const deep = 100_000;
  test.for([
    ["brackets", "[".repeat(deep)],
    ["closed brackets", "[".repeat(deep) + "]".repeat(deep)],
    ["parentheses", "(".repeat(deep)],
    ["braces", "{a=".repeat(deep)],
    ["calls", "f(".repeat(deep)],
    ["interpolations", '"${'.repeat(deep)],
    ["signs", "-!".repeat(deep)],
    ["conditionals", "a ? b : ".repeat(deep)],
    ["indices in indices", "a[".repeat(deep)],
    ["indices in a row", `a${"[b]".repeat(deep)}`],
    ["splats in a row", `a${"[*]".repeat(deep)}`],
    ["loops", "[for a in ".repeat(deep)],
  ] as const)("of %s is an error", ([, source], { expect }) => {
    const summaries = parseExpression(source, "").diagnostics.map(({ summary }) => summary);
    expect(summaries).toContain("Nesting too deep");
    expect(summaries.length).toBeLessThan(600);
  });

  test("of blocks is an error, and later items are read", ({ expect }) => {
    const { body, diagnostics } = parseConfig(`${"a {\n".repeat(2000)}${"}\n".repeat(2000)}b = 1\n`, "");
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Nesting too deep"]);
    expect(body.attributes.has("b")).toBe(true);
  });

  test("of directives is one error", ({ expect }) => {
    const { diagnostics } = parseTemplate("%{ if a }".repeat(deep), "");
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Nesting too deep"]);
  });

  test("does not include chains of operators", ({ expect }) => {
    const { expression, diagnostics } = parseExpression(`a${" + a".repeat(deep)}`, "");
    expect(diagnostics).toEqual([]);
    expect(expression.kind).toBe("binary");
  });

  test("starts at 500 levels", ({ expect }) => {
    expect(parseExpression("[".repeat(400) + "]".repeat(400), "").diagnostics).toEqual([]);
  });
});
