// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "../cty/random.ts";
import { openOracle } from "../cty/oracle.ts";
import { judge } from "./judge.ts";
import { malformedInput, tryMalformed } from "./syntax-malformed.ts";
import { pickedErrors, pickedForms } from "./syntax-picked.ts";

describePeer(["hcl-oracle"], "the Go library, asked about syntax", () => {
  test("reads every form as we do, and tells every error in the same words and places", async ({ expect }) => {
    const cases = [...pickedForms, ...pickedErrors].map(([op, source]) => ({ op, args: [source] }));
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      for (const [index, asked] of cases.entries())
        expect(judge(asked, answers[index]!).kind, JSON.stringify(asked)).toMatch(/agreed|deviation/);
    } finally {
      oracle.close();
    }
  });
});

describePeer(["hcl-oracle"], "the Go library's lexer", () => {
  test("cuts every form and every error into the same tokens", async ({ expect }) => {
    const sources = [...pickedForms, ...pickedErrors].filter(([op]) => op.startsWith("parse.")).map(([, source]) => source);
    const cases = ["lex.config", "lex.expression", "lex.template"].flatMap((op) => sources.map((source) => ({ op, args: [source] })));
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      for (const [index, asked] of cases.entries()) expect(judge(asked, answers[index]!).kind, JSON.stringify(asked)).toBe("agreed");
    } finally {
      oracle.close();
    }
  });
});

describe("noise", () => {
  test("is read without a crash, what is told of it lies within it, and what is printed is read as the same", ({ expect }) => {
    let trees = 0;
    for (let index = 0; index < 2000; index++) {
      const input = malformedInput(randomFor(20_261_121, "hcl-malformed", index));
      const { printed, problem } = tryMalformed(input);
      expect(problem, JSON.stringify(input.source)).toBeUndefined();
      trees += printed;
    }
    expect(trees).toBeGreaterThan(1000);
  });
});
