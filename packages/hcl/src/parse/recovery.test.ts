// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { formatRange } from "../syntax/position.ts";
import { parseConfig, parseExpression, parseTemplate } from "./parse.ts";
import type { Recovery } from "./parser.ts";

function told(source: string, recovery: Recovery = "every-item"): readonly string[] {
  return parseConfig(source, "", { recovery }).diagnostics.map(({ summary, subject }) => `${summary} @ ${formatRange(subject!).slice(1)}`);
}

describe("after an error", () => {
  const source = 'a = \nb = 1 2\nc {\n  d = +\n  e = f(1 2)\n}\n= 3\ng {\n  "h" = 1\n  i = [1 2]\n}\nj = k l\n';

  test("every further one is told", ({ expect }) => {
    expect(told(source)).toEqual([
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

  test("the Go library's way tells few", ({ expect }) => {
    expect(told(source, "first-error")).toEqual(["Invalid expression @ 1,5-2,1", "Missing argument separator @ 5,11-12"]);
  });

  test("what is right is there, before and behind", ({ expect }) => {
    const { body } = parseConfig("a = 1\nb = [\nc = 2\nd {\n  e = (\n  f = 3\n}\ng = 4\n", "");
    expect([...body.attributes.keys()]).toEqual(["a", "b", "c", "g"]);
    expect([...body.blocks[0]!.body.attributes.keys()]).toEqual(["e", "f"]);
  });

  test("a bracket that is never closed hides nothing behind it", ({ expect }) => {
    expect(told("a = [1,\nb = 2 3\nc {\n  d = f(\n  e = 4 5\n}\n")).toEqual([
      "Missing item separator @ 2,3-4",
      "Missing newline after argument @ 2,7-8",
      "Missing argument separator @ 5,5-6",
      "Missing newline after argument @ 5,9-10",
    ]);
  });

  test("neither do a thousand of them, and they take no longer than so many lines", ({ expect }) => {
    const { body, diagnostics } = parseConfig(Array.from({ length: 20_000 }, (_, index) => `a${index} = [1,\n`).join(""), "");
    expect(body.attributes.size).toBe(20_000);
    expect(diagnostics.length).toBe(20_000);
  });

  test("a stray brace ends nothing", ({ expect }) => {
    const { body, diagnostics } = parseConfig("a = 1\n}\nb = 2\n", "");
    expect(diagnostics).toHaveLength(1);
    expect([...body.attributes.keys()]).toEqual(["a", "b"]);
  });

  test("a wrong line before a block's closing brace does not take the brace with it", ({ expect }) => {
    const { body, diagnostics } = parseConfig("a {\n  ) }\nb = 1\n", "");
    expect(diagnostics).toHaveLength(1);
    expect(body.attributes.has("b")).toBe(true);
  });
});

describe("nesting without end", () => {
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

  test("of blocks is an error, and what comes behind them is read", ({ expect }) => {
    const { body, diagnostics } = parseConfig(`${"a {\n".repeat(2000)}${"}\n".repeat(2000)}b = 1\n`, "");
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Nesting too deep"]);
    expect(body.attributes.has("b")).toBe(true);
  });

  test("of directives is one error", ({ expect }) => {
    const { diagnostics } = parseTemplate("%{ if a }".repeat(deep), "");
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Nesting too deep"]);
  });

  test("is none where operators follow one another", ({ expect }) => {
    const { expression, diagnostics } = parseExpression(`a${" + a".repeat(deep)}`, "");
    expect(diagnostics).toEqual([]);
    expect(expression.kind).toBe("binary");
  });

  test("is allowed as far as anybody goes", ({ expect }) => {
    expect(parseExpression("[".repeat(400) + "]".repeat(400), "").diagnostics).toEqual([]);
  });
});
