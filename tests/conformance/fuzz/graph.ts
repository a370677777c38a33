// SPDX-License-Identifier: Apache-2.0
// Compares the graphs of generated configurations with those of `tofu graph`:
// npm run fuzz -- graph --cases 100 [--seed 7] [--only 17] [--parallel 2]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { compareGraphs } from "../engine-differential/graphs.ts";
import { peerProviderPaths } from "../engine-differential/peer-providers.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "100" },
    seed: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    parallel: { type: "string", default: "3" },
  },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
console.log(`seed ${seed}`);
const indices = options.only.length > 0 ? options.only.map(Number) : [...Array(Number(options.cases)).keys()];
const peers = { tofu: requirePeer("tofu").path, providers: peerProviderPaths((name) => requirePeer(name).path) };
const run = { seed, parallel: Number(options.parallel) };
const { equal, refused, failures } = await compareGraphs(peers, run, indices, ({ index, step, type, onlyTheirs, onlyOurs }) => {
  console.log(`case ${index}, configuration ${step + 1}, graph ${type}`);
  for (const line of onlyTheirs.slice(0, 8)) console.log(`  theirs ${line}`);
  for (const line of onlyOurs.slice(0, 8)) console.log(`  ours   ${line}`);
  console.log(`  again  npm run fuzz -- graph --seed ${seed} --only ${index}`);
});
console.log(`${indices.length} cases: ${equal} graphs equal, ${refused} refused by both sides, ${failures.length} different`);
process.exit(failures.length === 0 ? 0 : 1);
