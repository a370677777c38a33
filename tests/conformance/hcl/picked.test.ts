// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import type { Answer } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { judge } from "./judge.ts";
import { picked } from "./picked.ts";
import { answerOurselves } from "./subject.ts";

/** Does a diagnostic in the answer say this, in its detail or its summary? */
function tells(answer: unknown, why: string): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  const { summary, detail } = answer as { readonly summary?: string; readonly detail?: string };
  if (typeof detail === "string") return detail.startsWith(why) || summary === why;
  return Object.values(answer).some((part) => tells(part, why));
}

describe("cases picked by hand", () => {
  test("are told what is wrong with them", ({ expect }) => {
    const problems = picked.flatMap(({ asked, why }) => {
      const ours = answerOurselves(asked);
      const right = !("ok" in ours) ? false : why !== undefined ? tells(ours, why) : asked.op !== "evaluate" || !tells(ours, "");
      return right ? [] : [`${why ?? "no error"}: ${JSON.stringify(asked.args.slice(0, 2))} ${JSON.stringify(ours)}`];
    });
    expect(problems).toEqual([]);
  });
});

describePeer(["hcl-oracle"], "the Go library, asked about evaluation and decoding", () => {
  test("has the same values, types and errors", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 16 });
    try {
      const answers: readonly Answer[] = await oracle.ask(picked.map(({ asked }) => asked));
      const problems = picked.flatMap(({ asked, why }, index) => {
        const verdict = judge(asked, answers[index]!);
        const right = verdict.kind === "agreed" || verdict.kind === "deviation";
        if (right && (why === undefined || tells(answers[index], why))) return [];
        return [
          `${why ?? "no error"}: ${JSON.stringify(asked.args.slice(0, 2))}\n${JSON.stringify(answers[index])}\n${JSON.stringify(verdict)}`,
        ];
      });
      expect(problems).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});
