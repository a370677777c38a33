// SPDX-License-Identifier: Apache-2.0
// Makes the vectors again: npm run vectors [-- --seed N --only area]. Needs the oracle (npm run peers).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { areas } from "./generate/areas.ts";
import type { Arguments } from "./generate/value-cases.ts";
import { typePairCases } from "./generate/type-pairs.ts";
import type { Case } from "./notation.ts";
import { openOracle } from "./oracle.ts";
import { picked } from "./picked/index.ts";
import { randomFor } from "./random.ts";
import { writeVectors, type Vector } from "./vector-file.ts";

/** Each operation gets at least so many cases in the vectors of its area. */
const perOperation: Readonly<Record<string, number>> = { values: 110, numbers: 110, convert: 400, functions: 0, json: 900, msgpack: 900 };
/** Each function gets so many calls, and so many questions for what it promises beforehand. Its signature is one question, hand-picked. */
const perFunction = 60;

const { values: options } = parseArgs({
  options: { seed: { type: "string", default: "20261121" }, only: { type: "string", multiple: true } },
});
const seed = Number(options.seed);

function casesOf(area: string, operations: Readonly<Record<string, Arguments>>): Case[] {
  return Object.entries(operations).flatMap(([op, make]) => {
    const count = op.startsWith("fn.") ? perFunction : perOperation[area]!;
    const distinct = new Map<string, Case>();
    // The same question comes again where there are few: what one bool can be, or a few texts.
    for (let index = 0; distinct.size < count && index < 20 * count; index++) {
      const args = make(randomFor(seed, op, index));
      distinct.set(JSON.stringify(args), { op, args });
    }
    return Array.from(distinct.values());
  });
}

mkdirSync(join(import.meta.dirname, "vectors"), { recursive: true });
// In a map of two, Go starts at the second entry once in eight times: twenty repeats would miss some that vary.
const oracle = await openOracle({ repeats: 150 });
const wanted: Record<string, readonly Case[]> = { ...picked, pairs: typePairCases(seed) };
for (const [area, operations] of Object.entries(areas)) if (area !== "malformed") wanted[area] = casesOf(area, operations);

let total = 0;
for (const [area, cases] of Object.entries(wanted)) {
  if (options.only !== undefined && !options.only.includes(area)) continue;
  const answers = await oracle.ask(cases);
  const vectors: Vector[] = [];
  const varying: Record<string, number> = {};
  for (const [index, asked] of cases.entries()) {
    const answer = answers[index]!;
    if ("refused" in answer || "died" in answer) throw new Error(`no vector from ${JSON.stringify(asked)}: ${JSON.stringify(answer)}`);
    if ("unasked" in answer) continue;
    if ("varies" in answer) varying[asked.op] = (varying[asked.op] ?? 0) + 1;
    else vectors.push({ asked, answer });
  }
  writeVectors(
    {
      area,
      seed,
      command: `npm run vectors -- --seed ${seed}`,
      oracle: oracle.header,
      cases: vectors.length,
      varying,
    },
    vectors,
  );
  console.log(
    `${area}: ${vectors.length} cases, ${cases.length - vectors.length} left out because go-cty's answer varies or would take gigabytes`,
  );
  total += vectors.length;
}
oracle.close();
console.log(`${total} cases`);
