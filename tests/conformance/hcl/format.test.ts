// SPDX-License-Identifier: Apache-2.0
import { parseConfig } from "@tenon/hcl";
import { format } from "@tenon/hcl/write";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "@tenon/testing/generate";
import { openOracle } from "../cty/oracle.ts";
import { formatCase } from "./format-cases.ts";
import { pickedLayouts } from "./format-picked.ts";
import { judge } from "./judge.ts";
import { ownConfigurations } from "./own-configurations.ts";

describePeer(["hcl-oracle"], "the Go library's formatter", () => {
  test.for<readonly [name: string, sources: () => readonly string[], atLeast: number]>([
    ["the picked sources", () => pickedLayouts, 300],
    ["the configurations of this project", ownConfigurations, 20],
  ])("writes %s as we do", async ([, make, atLeast], { expect }) => {
    const sources = make();
    expect(sources.length).toBeGreaterThan(atLeast);
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const cases = sources.map((source) => ({ op: "format", args: [source] }));
      const answers = await oracle.ask(cases);
      const problems = cases.filter((input, index) => judge(input, answers[index]!).kind !== "agreed").map(({ args }) => args[0]);
      expect(problems).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});

/** Every kind of node in the native syntax. */
const nodeKinds = [
  ["anonymousSymbol", "attribute", "binary", "block", "body", "conditional", "for", "functionCall", "index", "literal", "object"],
  [
    "objectKey",
    "parentheses",
    "relativeTraversal",
    "scopeTraversal",
    "splat",
    "template",
    "templateJoin",
    "templateWrap",
    "tuple",
    "unary",
  ],
].flat();

describe("the generated files", () => {
  const cases = Array.from({ length: 3000 }, (_, index) => formatCase(randomFor(11, "format", index)));

  test("contain every kind of node, and a comment in every frequent gap between tokens", ({ expect }) => {
    expect([...new Set(cases.flatMap(({ nodes }) => nodes))].sort()).toEqual(nodeKinds);
    const seen = new Map<string, { times: number; commented: number }>();
    for (const { sort, hasComment } of cases.flatMap(({ gaps }) => gaps)) {
      const { times, commented } = seen.get(sort) ?? { times: 0, commented: 0 };
      seen.set(sort, { times: times + 1, commented: commented + Number(hasComment) });
    }
    const usual = [...seen].filter(([, { times }]) => times >= 40);
    expect(usual.length).toBeGreaterThan(150);
    expect(usual.filter(([, { commented }]) => commented === 0)).toEqual([]);
  });

  test("do not change when formatted a second time", ({ expect }) => {
    let tried = 0;
    for (const { input } of cases) {
      const [source] = input.args;
      // In an invalid source, formatting can join two tokens into a different one, as in the Go library.
      if (typeof source !== "string" || parseConfig(source, "").diagnostics.length > 0) continue;
      tried += 1;
      const once = format(source);
      expect(format(once), JSON.stringify(source)).toBe(once);
    }
    expect(tried).toBeGreaterThan(1000);
  });
});
