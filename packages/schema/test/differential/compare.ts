// SPDX-License-Identifier: Apache-2.0
// Compares our results with OpenTofu's for random cases: node compare.ts --oracle PATH [--cases N] [--seed S] [--rule NAME] [--record
// FILE]. Prints the seed and both results of a case that differs. --record writes the cases that agree to a file.
// Known differences of the text, all rare: OpenTofu prints "forces replacement" twice for a value that becomes unknown; warns that a value
// in an object that becomes unknown will no longer be sensitive; treats an element that becomes unknown as one that remains null; and
// orders write-only attributes by the random order of its maps.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { ourResult, ruleCase, rules, type RuleResult, type RuleCase } from "./rule-case.ts";

const { values: options } = parseArgs({
  options: {
    oracle: { type: "string" },
    cases: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    rule: { type: "string" },
    record: { type: "string" },
  },
});
if (options.oracle === undefined)
  throw new Error("the option --oracle PATH is missing: build the oracle as opentofu-oracle/main.go describes");

const first = Number(options.seed);
const cases = Array.from({ length: Number(options.cases) }, (_, index) =>
  ruleCase(first + index, options.rule as RuleCase["op"] | undefined),
);
const oracle = spawn(options.oracle, { stdio: ["pipe", "pipe", "inherit"] });
for (const ruleInput of cases) oracle.stdin.write(`${JSON.stringify(ruleInput)}\n`);
oracle.stdin.end();

const recorded: string[] = [];
const tally = new Map<string, number>(rules.map((rule) => [rule, 0]));
let failed = 0;
let refused = 0;
let index = 0;
for await (const line of createInterface({ input: oracle.stdout })) {
  const response = JSON.parse(line) as { readonly result?: RuleResult; readonly panic?: string };
  const seed = first + index;
  const current = cases[index++]!;
  tally.set(current.op, tally.get(current.op)! + 1);
  if (response.result === undefined) {
    refused++;
    continue;
  }
  const ours = ourResult(current);
  if (JSON.stringify(withoutReplacementNotes(ours)) === JSON.stringify(withoutReplacementNotes(response.result))) {
    recorded.push(JSON.stringify({ ...current, answer: ours }));
    continue;
  }
  failed++;
  console.log(`--- seed ${seed}, ${current.op}\nours:\n${show(ours)}\nOpenTofu's:\n${show(response.result)}`);
}
if (options.record) writeFileSync(options.record, gzipSync(`${recorded.join("\n")}\n`, { level: 9 }));
console.log(`seed ${first}; ${[...tally].map(([rule, count]) => `${rule} ${count}`).join(", ")}; OpenTofu panicked at ${refused}`);
console.log(`${cases.length - failed - refused} passed, ${failed} failed`);

function show(result: RuleResult): string {
  return typeof result === "string" ? result : result.join("\n");
}

/** Removes the notes about replacement from a text in which a value that forces a replacement becomes unknown. */
function withoutReplacementNotes(result: RuleResult): RuleResult {
  if (typeof result !== "string" || !result.includes("-> (known after apply) # forces replacement")) return result;
  return result.replaceAll(" # forces replacement", "");
}
