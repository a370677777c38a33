// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parseConfig, parseExpression } from "../parse/parse.ts";
import { childrenOf, type SyntaxNode } from "./children.ts";
import { variables } from "./variables.ts";
import { walk } from "./walk.ts";

const everyForm = `
a = (1) + -b.c["d"] * f(g...)[h].i
j "k" {
  l = x ? [for m, n in o : "p \${n}" if q] : { r = s[*].t, (u) = "\${v}" }
  w = "%{ if y }z%{ endif }%{ for e in d }\${e}%{ endfor }"
  y = [1]
}
`;

describe("walk", () => {
  const { body, diagnostics } = parseConfig(everyForm, "");

  test("visits every kind of node, parents first, in source order", ({ expect }) => {
    expect(diagnostics).toEqual([]);
    const kinds = new Set<string>();
    let entered = 0;
    let left = 0;
    walk(body, {
      enter: (node, parents) => {
        kinds.add(node.kind);
        entered += 1;
        const parent = parents.at(-1);
        if (parent) expect(childrenOf(parent)).toContain(node);
      },
      leave: (_, parents) => {
        left += 1;
        expect(parents.length).toBeLessThan(12);
      },
    });
    expect(left).toBe(entered);
    const every =
      "anonymousSymbol attribute binary block body conditional for functionCall index literal object objectKey parentheses relativeTraversal " +
      "scopeTraversal splat template templateJoin templateWrap tuple unary";
    expect([...kinds].sort().join(" ")).toBe(every);
  });

  test("skips the children of a node on request", ({ expect }) => {
    const names: string[] = [];
    walk(body, {
      enter: (node) => {
        if (node.kind === "attribute") names.push(node.name);
        return node.kind !== "block";
      },
    });
    expect(names).toEqual(["a"]);
  });

  test("accepts a chain of operators of any length", ({ expect }) => {
    let count = 0;
    walk(parseExpression(`a${" + a".repeat(50_000)}`, "").expression, {
      enter: (node: SyntaxNode) => void (count += node.kind === "binary" ? 1 : 0),
    });
    expect(count).toBe(50_000);
  });
});

test("variables are found in chains of any length", ({ expect }) => {
  const source = Array.from({ length: 50 }).reduce<string>((inner) => `a[${inner}]${"[b]".repeat(400)}`, "a");
  expect(variables(parseExpression(source, "").expression)).toHaveLength(51 + 50 * 400);
});
