// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { judge } from "./judge.ts";
import { minimise } from "./minimise.ts";
import type { OracleResult, Case } from "./notation.ts";
import { openOracle, type Oracle } from "./oracle.ts";

/** An oracle with a fault: it answers as if every list of more than one element were null. */
function mistaken(oracle: Oracle): Oracle {
  const distort = (input: Case, answer: OracleResult): OracleResult => {
    const [value] = input.args as readonly [{ readonly t: unknown; readonly v: unknown }];
    return JSON.stringify(value.t).includes('"list"') && JSON.stringify(value.v).includes('"x","y"') && "ok" in answer
      ? { ok: { t: "string", v: { $: "null" } } }
      : answer;
  };
  return {
    header: oracle.header,
    close: () => {},
    ask: async (cases) => (await oracle.ask(cases)).map((answer, index) => distort(cases[index]!, answer)),
  };
}

describePeer(["cty-oracle"], "minimise", () => {
  test("reduces a large failing case to the part that fails", async ({ expect }) => {
    const oracle = await openOracle();
    const wrong = mistaken(oracle);
    const input: Case = {
      op: "value.self",
      args: [
        {
          t: ["object", { a: ["list", "string"], b: "number", c: ["tuple", ["bool", "string"]] }],
          v: [
            ["a", { $: "marked", m: ["m"], v: ["w", "x", "y", "z"] }],
            ["b", { n: "12.5" }],
            ["c", [true, "more"]],
          ],
        },
      ],
    };
    const [answer] = await wrong.ask([input]);
    expect(judge(input, answer!).kind).toBe("differed");
    const small = await minimise(wrong, { input, answer: answer! });
    expect(small.input.args).toEqual([{ t: ["list", "string"], v: ["x", "y"] }]);
    oracle.close();
  });
});
