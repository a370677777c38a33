// SPDX-License-Identifier: Apache-2.0
// Applies random graphs of up to 300 objects, changes and destroys them, and checks the order of all steps.
//
//   npm run soak -- engine-order [--graphs 500] [--seed 1]
import { parseArgs } from "node:util";
import { checkOrder } from "./engine-order-run.ts";

const { values } = parseArgs({ options: { graphs: { type: "string", default: "500" }, seed: { type: "string", default: "1" } } });
const [graphs, first] = [Number(values.graphs), Number(values.seed)];
const actions: Record<string, number> = {};
const sizes: number[] = [];
let cycles = 0;
let failed = 0;
console.log(`seed ${first}`);
for (let seed = first; seed < first + graphs; seed++) {
  const result = await checkOrder(seed);
  sizes.push(result.objects);
  for (const [action, count] of Object.entries(result.actions)) actions[action] = (actions[action] ?? 0) + count;
  if (result.hasCycle) cycles++;
  if (result.faults.length > 0) failed++;
  for (const fault of result.faults) console.log(`  seed ${seed}: ${fault}`);
}
const counts = Object.entries(actions).map(([action, count]) => `${count} ${action}`);
const sorted = sizes.toSorted((a, b) => a - b);
console.log(`${graphs} graphs of ${sorted[0]} to ${sorted.at(-1)} objects, median ${sorted[sorted.length >> 1]}: ${counts.join(", ")}`);
console.log(`${cycles} changes of create_before_destroy without an order, which the engine refused`);
console.log(`${graphs - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
