// SPDX-License-Identifier: Apache-2.0
import { parseConfig } from "@tenon/hcl";
import { format } from "@tenon/hcl/write";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "../cty/random.ts";
import { openOracle } from "../cty/oracle.ts";
import { formatCase } from "./format-cases.ts";
import { pickedLayouts } from "./format-picked.ts";
import { judge } from "./judge.ts";
import { ownConfigurations } from "./own-configurations.ts";

describePeer(["hcl-oracle"], "the Go library, asked to format", () => {
  test.for<readonly [name: string, sources: () => readonly string[], atLeast: number]>([
    ["what is picked by hand", () => pickedLayouts, 300],
    ["the configurations of this project", ownConfigurations, 20],
  ])("writes %s as we do", async ([, make, atLeast], { expect }) => {
    const sources = make();
    expect(sources.length).toBeGreaterThan(atLeast);
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const cases = sources.map((source) => ({ op: "format", args: [source] }));
      const answers = await oracle.ask(cases);
      const problems = cases.filter((asked, index) => judge(asked, answers[index]!).kind !== "agreed").map(({ args }) => args[0]);
      expect(problems).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});

/** All that the native syntax has. */
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

  test("have every kind of node, and comments between tokens of every sort", ({ expect }) => {
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

  test("are not changed any more once they are formatted", ({ expect }) => {
    let tried = 0;
    for (const { asked } of cases) {
      const [source] = asked.args;
      // In broken sources tokens can come to stand side by side that then are another one, as with the Go library.
      if (typeof source !== "string" || parseConfig(source, "").diagnostics.length > 0) continue;
      tried += 1;
      const once = format(source);
      expect(format(once), JSON.stringify(source)).toBe(once);
    }
    expect(tried).toBeGreaterThan(1000);
  });
});
