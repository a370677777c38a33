// SPDX-License-Identifier: Apache-2.0
// Generates the vectors: npm run vectors [-- --seed N --only area]. Needs the oracle (npm run peers).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { areas } from "./generate/areas.ts";
import type { Arguments } from "./generate/value-cases.ts";
import { typePairCases } from "./generate/type-pairs.ts";
import type { Case } from "./notation.ts";
import { openOracle } from "./oracle.ts";
import { picked } from "./picked/index.ts";
import { randomFor } from "@tenon/testing/generate";
import { writeVectors, type Vector } from "./vector-file.ts";

/** Minimum number of cases for each operation in the vectors of its area. */
const perOperation: Readonly<Record<string, number>> = { values: 110, numbers: 110, convert: 400, functions: 0, json: 900, msgpack: 900 };
/** Number of calls of each function, and of requests for its return type. Its signature is one picked case. */
const perFunction = 60;

const { values: options } = parseArgs({
  options: { seed: { type: "string", default: "20261121" }, only: { type: "string", multiple: true } },
});
const seed = Number(options.seed);

function casesOf(area: string, operations: Readonly<Record<string, Arguments>>): Case[] {
  return Object.entries(operations).flatMap(([op, make]) => {
    const count = op.startsWith("fn.") ? perFunction : perOperation[area]!;
    const distinct = new Map<string, Case>();
    // Operations with few possible arguments, such as one bool, repeat the same case.
    for (let index = 0; distinct.size < count && index < 20 * count; index++) {
      const args = make(randomFor(seed, op, index));
      distinct.set(JSON.stringify(args), { op, args });
    }
    return Array.from(distinct.values());
  });
}

mkdirSync(join(import.meta.dirname, "vectors"), { recursive: true });
// Go starts the iteration of a map with two entries at the second one in one of eight runs, so twenty repeats would miss some variation.
const oracle = await openOracle({ repeats: 150 });
const wanted: Record<string, readonly Case[]> = { ...picked, pairs: typePairCases(seed) };
for (const [area, operations] of Object.entries(areas)) if (area !== "malformed") wanted[area] = casesOf(area, operations);

let total = 0;
for (const [area, cases] of Object.entries(wanted)) {
  if (options.only !== undefined && !options.only.includes(area)) continue;
  const answers = await oracle.ask(cases);
  const vectors: Vector[] = [];
  const varying: Record<string, number> = {};
  for (const [index, input] of cases.entries()) {
    const answer = answers[index]!;
    if ("refused" in answer || "died" in answer) throw new Error(`no vector from ${JSON.stringify(input)}: ${JSON.stringify(answer)}`);
    if ("unasked" in answer) continue;
    if ("varies" in answer) varying[input.op] = (varying[input.op] ?? 0) + 1;
    else vectors.push({ input, answer });
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
