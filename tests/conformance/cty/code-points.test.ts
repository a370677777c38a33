// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { judge } from "./judge.ts";
import type { Case, Json } from "./notation.ts";
import { openOracle } from "./oracle.ts";

/** Texts that together contain every Unicode character, `size` characters each. */
function texts(size: number, gap: string): string[] {
  const all: string[] = [];
  for (let from = 0; from <= 0x10ffff; from += size) {
    const characters = Array.from({ length: size }, (_, index) => from + index).filter((each) => each < 0xd800 || each > 0xdfff);
    if (characters.length > 0) all.push(characters.map((each) => String.fromCodePoint(each)).join(gap));
  }
  return all;
}

const text = (value: string): Json => ({ t: "string", v: value });
const plain = (op: string): Case[] => texts(64, " ").map((one) => ({ op, args: [one] }));
const called = (op: string): Case[] => texts(64, " ").map((one) => ({ op, args: [text(one)] }));
const matched = (pattern: string): Case[] =>
  texts(0x1000, "").map((one) => ({ op: "fn.regexreplace", args: [text(one), text(pattern), text("_")] }));

const patterns: readonly string[] = ["L", "M", "N", "P", "S", "Z", "C", "{Lu}", "{Ll}", "{Greek}", "{Common}"].map((name) => `\\p${name}`);

/** Whether to compare every character. Node has a later version of Unicode than go-cty; our results must follow go-cty's version. */
const isGate = process.env["TENON_PEERS"] === "required";

describePeer(["cty-oracle"], "every Unicode character", () => {
  test.for<[string, () => Case[]]>([
    ...["str.nfc", "str.safePrefix"].map((op): [string, () => Case[]] => [op, () => plain(op)]),
    ...["value.hash", "fn.strlen", "fn.reverse", "fn.upper", "fn.lower", "fn.title", "fn.trimspace"].map((op): [string, () => Case[]] => [
      op,
      () => called(op),
    ]),
    ...[...patterns, "\\w", "(?i)\\p{Ll}", "(?i)[ƀ-ʯ]", "(?i)[^a-z]"].map((pattern): [string, () => Case[]] => [
      pattern,
      () => matched(pattern),
    ]),
  ])("%s", { timeout: 120_000 }, async ([, cases], { expect, skip }) => {
    if (!isGate) skip("only with TENON_PEERS=required");
    const oracle = await openOracle({ repeats: 1 });
    const all = cases();
    const answers = await oracle.ask(all);
    oracle.close();
    const differing = all.filter((one, index) => judge(one, answers[index]!).kind !== "agreed");
    expect(differing.map((one) => JSON.stringify(one).slice(0, 200))).toEqual([]);
  });
});
