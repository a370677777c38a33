// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "@tenon/testing/generate";
import { openOracle } from "../cty/oracle.ts";
import { judge } from "./judge.ts";
import { malformedInput, tryMalformed } from "./syntax-malformed.ts";
import { pickedErrors, pickedForms } from "./syntax-picked.ts";

describePeer(["hcl-oracle"], "the Go library's parsers", () => {
  test("parse every form to the same tree, and report every error with the same text and range", async ({ expect }) => {
    const cases = [...pickedForms, ...pickedErrors].map(([op, source]) => ({ op, args: [source] }));
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      for (const [index, input] of cases.entries())
        expect(judge(input, answers[index]!).kind, JSON.stringify(input)).toMatch(/agreed|deviation/);
    } finally {
      oracle.close();
    }
  });
});

describePeer(["hcl-oracle"], "the Go library's lexer", () => {
  test("produces the same tokens for every form and every error", async ({ expect }) => {
    const sources = [...pickedForms, ...pickedErrors].filter(([op]) => op.startsWith("parse.")).map(([, source]) => source);
    const cases = ["lex.config", "lex.expression", "lex.template"].flatMap((op) => sources.map((source) => ({ op, args: [source] })));
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      for (const [index, input] of cases.entries()) expect(judge(input, answers[index]!).kind, JSON.stringify(input)).toBe("agreed");
    } finally {
      oracle.close();
    }
  });
});

describe("random input", () => {
  test("parses without a crash, has diagnostics inside the source, and parses again to the same tree when printed", ({ expect }) => {
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
