// SPDX-License-Identifier: Apache-2.0
// Asks OpenTofu and us the same random questions: node compare.ts --oracle PATH [--cases N] [--seed S] [--rule NAME] [--record FILE].
// Where they differ it prints the seed and both answers. With --record, the cases on which they agree are written down.
//
// Known to differ in text, all rare: OpenTofu says "forces replacement" twice of a value that becomes unknown; warns that a value in
// an object that becomes unknown will not be sensitive any more; takes an element that becomes unknown for one that stays null; and
// shows write-only attributes as its maps happen to be ordered.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { ourAnswer, ruleCase, rules, type RuleAnswer, type RuleCase } from "./rule-case.ts";

const { values: options } = parseArgs({
  options: {
    oracle: { type: "string" },
    cases: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    rule: { type: "string" },
    record: { type: "string" },
  },
});
if (options.oracle === undefined) throw new Error("where is the oracle? --oracle PATH, see opentofu-oracle/main.go");

const first = Number(options.seed);
const cases = Array.from({ length: Number(options.cases) }, (_, index) =>
  ruleCase(first + index, options.rule as RuleCase["op"] | undefined),
);
const oracle = spawn(options.oracle, { stdio: ["pipe", "pipe", "inherit"] });
for (const asked of cases) oracle.stdin.write(`${JSON.stringify(asked)}\n`);
oracle.stdin.end();

const recorded: string[] = [];
const tally = new Map<string, number>(rules.map((rule) => [rule, 0]));
let failed = 0;
let refused = 0;
let index = 0;
for await (const line of createInterface({ input: oracle.stdout })) {
  const answer = JSON.parse(line) as { readonly result?: RuleAnswer; readonly panic?: string };
  const seed = first + index;
  const asked = cases[index++]!;
  tally.set(asked.op, tally.get(asked.op)! + 1);
  if (answer.result === undefined) {
    refused++;
    continue;
  }
  const ours = ourAnswer(asked);
  if (JSON.stringify(saidOnce(ours)) === JSON.stringify(saidOnce(answer.result))) {
    recorded.push(JSON.stringify({ ...asked, answer: ours }));
    continue;
  }
  failed++;
  console.log(`--- seed ${seed}, ${asked.op}\nours:\n${show(ours)}\nOpenTofu's:\n${show(answer.result)}`);
}
if (options.record) writeFileSync(options.record, gzipSync(`${recorded.join("\n")}\n`, { level: 9 }));
console.log(`seed ${first}; ${[...tally].map(([rule, count]) => `${rule} ${count}`).join(", ")}; OpenTofu panicked at ${refused}`);
console.log(`${cases.length - failed - refused} passed, ${failed} failed`);

function show(answer: RuleAnswer): string {
  return typeof answer === "string" ? answer : answer.join("\n");
}

/** Where something that forces a replacement becomes unknown, without any word of the replacement. */
function saidOnce(answer: RuleAnswer): RuleAnswer {
  if (typeof answer !== "string" || !answer.includes("-> (known after apply) # forces replacement")) return answer;
  return answer.replaceAll(" # forces replacement", "");
}
