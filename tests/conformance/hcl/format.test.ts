// SPDX-License-Identifier: Apache-2.0
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

describe("format", () => {
  test("changes nothing of what it wrote", ({ expect }) => {
    for (let index = 0; index < 1000; index++) {
      const [source] = formatCase(randomFor(11, "format", index)).asked.args;
      if (typeof source !== "string") continue;
      const once = format(source);
      expect(format(once), JSON.stringify(source)).toBe(once);
    }
  });
});
