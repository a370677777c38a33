// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "@tenon/hcl";
import { walk } from "@tenon/hcl/analysis";
import type { Spec } from "@tenon/hcl/decode";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import type { OracleResult } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { judge } from "./judge.ts";
import { readExpression } from "./notation.ts";
import { picked } from "./picked.ts";
import { ownResult } from "./subject.ts";

/** Whether the answer contains a diagnostic with this summary, or with a detail that starts with this text. */
function hasDiagnostic(answer: unknown, why: string): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  const { summary, detail } = answer as { readonly summary?: string; readonly detail?: string };
  if (typeof detail === "string") return detail.startsWith(why) || summary === why;
  return Object.values(answer).some((part) => hasDiagnostic(part, why));
}

describe("the picked cases", () => {
  test("get the expected diagnostic, or none", ({ expect }) => {
    const problems = picked.flatMap(({ input, why }) => {
      const ours = ownResult(input);
      const right = !("ok" in ours)
        ? false
        : why !== undefined
          ? hasDiagnostic(ours, why)
          : input.op !== "evaluate" || !hasDiagnostic(ours, "");
      return right ? [] : [`${why ?? "no error"}: ${JSON.stringify(input.args.slice(0, 2))} ${JSON.stringify(ours)}`];
    });
    expect(problems).toEqual([]);
  });

  test("contain every kind of expression, operator and spec", ({ expect }) => {
    const found = new Set<string>();
    for (const { op, args } of picked.map(({ input }) => input)) {
      if (op !== "evaluate") for (const [, kind] of JSON.stringify(args).matchAll(/"kind":"(\w+)"/g)) found.add(`spec ${kind}`);
      else {
        walk(readExpression(args[0]!, args[1]!).made, {
          enter: (node) => {
            found.add(node.kind);
            if (node.kind === "binary" || node.kind === "unary") found.add(`${node.kind} ${node.operator}`);
          },
        });
      }
    }
    const kinds: Record<Expression["kind"] | `spec ${Spec["kind"]}`, true> = {
      // Created only by dynamic blocks and by blocks as attributes.
      scoped: true,
      derived: true,
      // Created only for a syntax error; the fuzzer covers it.
      syntaxError: true,
      ...allKinds,
    };
    expect(Object.keys(kinds).filter((kind) => !found.has(kind))).toEqual(["scoped", "derived", "syntaxError"]);
    const operators = ["||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"].map((operator) => `binary ${operator}`);
    expect([...operators, "unary -", "unary !"].filter((operator) => !found.has(operator))).toEqual([]);
  });
});

const allKinds = {
  parentheses: true,
  literal: true,
  scopeTraversal: true,
  relativeTraversal: true,
  functionCall: true,
  conditional: true,
  binary: true,
  unary: true,
  index: true,
  tuple: true,
  object: true,
  objectKey: true,
  for: true,
  splat: true,
  anonymousSymbol: true,
  template: true,
  templateJoin: true,
  templateWrap: true,
  json: true,
  "spec object": true,
  "spec tuple": true,
  "spec attribute": true,
  "spec literal": true,
  "spec expression": true,
  "spec block": true,
  "spec blockList": true,
  "spec blockSet": true,
  "spec blockTuple": true,
  "spec blockMap": true,
  "spec blockObject": true,
  "spec blockAttributes": true,
  "spec blockLabel": true,
  "spec default": true,
  "spec transformExpression": true,
  "spec transformFunction": true,
  "spec refine": true,
  "spec validate": true,
} as const;

describePeer(["hcl-oracle"], "the Go library's evaluation and decoding", () => {
  test("give the same values, types and errors", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 16 });
    try {
      const answers: readonly OracleResult[] = await oracle.ask(picked.map(({ input }) => input));
      const problems = picked.flatMap(({ input, why }, index) => {
        const verdict = judge(input, answers[index]!);
        const right = verdict.kind === "agreed" || verdict.kind === "deviation";
        if (right && (why === undefined || hasDiagnostic(answers[index], why))) return [];
        return [
          `${why ?? "no error"}: ${JSON.stringify(input.args.slice(0, 2))}\n${JSON.stringify(answers[index])}\n${JSON.stringify(verdict)}`,
        ];
      });
      expect(problems).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});
