// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu check values of `count`, `for_each` and `enabled`.
import { objectOf } from "@tenon/cty";
import { SENSITIVE, EPHEMERAL } from "@tenon/engine/functions";
import { countOf, enabledOf, forEachOf } from "@tenon/engine/unstable/expansion";
import { hasErrors, parseExpression, type Diagnostic } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { deviationOf } from "../cty/deviations.ts";
import { anyValue, mixed, valueOfType } from "../cty/generate/values.ts";
import type { Json, ValueNotation } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { randomFor, type Random } from "@tenon/testing/generate";
import { readValue } from "../cty/subject/read.ts";
import { writeValue } from "../cty/subject/write.ts";
import { diagnosticsNotation } from "./diagnostic-notation.ts";
import { withMarksReplaced } from "./function-subject.ts";

const argumentNames = ["count", "forEach", "enabled"] as const;
const marks = new Map<unknown, symbol>([
  ["a", SENSITIVE],
  ["b", EPHEMERAL],
]);
const names = new Map<unknown, string>([
  [SENSITIVE, "sensitive"],
  [EPHEMERAL, "ephemeral"],
]);
const addresses = ["", "test.a", 'module.m["a b"].test.c', 'test.d["x"]', "module.m[0]"];

/** A value for an argument, usually of a type that the argument accepts. */
function valueFor(random: Random, argument: (typeof argumentNames)[number]): ValueNotation {
  const options = { ...mixed, marked: 0.1 };
  if (argument === "count")
    return random.chance(0.5) ? { t: "number", v: { n: String(random.int(5) - 1), p: 64 } } : valueOfType(random, "number", options);
  if (random.chance(0.3)) return anyValue(random, 2, options);
  if (argument === "enabled") return valueOfType(random, random.pick(["bool", "string", "number"]), options);
  return valueOfType(
    random,
    random.pick<Json>([
      ["set", "string"],
      ["map", "string"],
      ["object", { a: "number", b: "string" }],
      ["set", "number"],
    ]),
    options,
  );
}

function ownResult(argument: (typeof argumentNames)[number], notation: ValueNotation, address: string): Json {
  const value = withMarksReplaced(readValue(notation), marks);
  const { expression } = parseExpression("local.v", "main.tf");
  const scope = createScope({ variables: { local: objectOf(new Map([["v", value]])) } });
  const report: Diagnostic[] = [];
  const excludable = address === "" ? undefined : address;
  const result = (): Json | undefined => {
    const evaluation = evaluate(expression, scope);
    if (argument === "count") return countOf(expression, evaluation, scope, excludable, report);
    if (argument === "enabled") return enabledOf(expression, evaluation, scope, report);
    const values = forEachOf(expression, evaluation, scope, excludable, report);
    return values && Array.from(values, ([key, element]) => [key, writeValue(withMarksReplaced(element, names))]);
  };
  const accepted = result();
  const diagnostics = JSON.parse(JSON.stringify(diagnosticsNotation(report))) as Json;
  return hasErrors(report) || accepted === undefined ? { diagnostics } : { diagnostics, result: accepted };
}

describePeer(["engine-oracle"], "repetition arguments beside OpenTofu", () => {
  test("have the same values and the same diagnostics", { timeout: 180_000 }, async ({ expect }) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const cases = Array.from({ length: 4000 }, (_, index) => {
      const random = randomFor(seed, "repetition", index);
      const argument = random.pick(argumentNames);
      return { argument, notation: valueFor(random, argument), address: random.pick(addresses) };
    });
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const named = (notation: ValueNotation): Json => writeValue(withMarksReplaced(withMarksReplaced(readValue(notation), marks), names));
      const questions = cases.map(({ argument, notation, address }) => ({
        op: `repetition.${argument}`,
        args: [named(notation), address],
      }));
      const answers = await oracle.ask(questions);
      const differences: string[] = [];
      let valid = 0;
      for (const [index, { argument, notation, address }] of cases.entries()) {
        const answer = answers[index]!;
        const theirs = JSON.stringify("ok" in answer ? answer.ok : answer);
        const own = ownResult(argument, notation, address);
        const ours = JSON.stringify(own);
        if (ours.includes('"result"')) valid++;
        if (ours === theirs || deviationOf(questions[index]!, answer, { ok: own }) !== undefined) continue;
        differences.push(`${argument} ${JSON.stringify(notation)} ${address}\n- ${theirs}\n+ ${ours}`);
      }
      expect(differences, `seed ${seed}`).toEqual([]);
      expect(valid).toBeGreaterThan(800);
    } finally {
      oracle.close();
    }
  });
});
