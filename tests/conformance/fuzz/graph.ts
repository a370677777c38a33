// SPDX-License-Identifier: Apache-2.0
// Compares the graphs of generated configurations with those of `tofu graph`:
// npm run fuzz -- graph --cases 100 [--seed 7] [--only 17] [--parallel 2]
import { commandFuzzOptions } from "../engine-differential/fuzz-options.ts";
import { compareGraphs } from "../engine-differential/graphs.ts";

const { indices, run, peers } = commandFuzzOptions();
const { equal, refused, failures } = await compareGraphs(peers, run, indices, ({ index, step, type, onlyTheirs, onlyOurs }) => {
  console.log(`case ${index}, configuration ${step + 1}, graph ${type}`);
  for (const line of onlyTheirs.slice(0, 8)) console.log(`  theirs ${line}`);
  for (const line of onlyOurs.slice(0, 8)) console.log(`  ours   ${line}`);
  console.log(`  again  npm run fuzz -- graph --seed ${run.seed} --only ${index}`);
});
console.log(`${indices.length} cases: ${equal} graphs equal, ${refused} refused by both sides, ${failures.length} different`);
process.exit(failures.length === 0 ? 0 : 1);
