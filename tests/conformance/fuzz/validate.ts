// SPDX-License-Identifier: Apache-2.0
// Compares `workspace.validate()` with `tofu validate -json` on generated configurations with errors:
// npm run fuzz -- validate --cases 200 [--seed 7] [--only 17] [--parallel 2]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { peerProviderPaths } from "../engine-differential/peer-providers.ts";
import { validateCases } from "../engine-differential/validation.ts";

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
const { passed, failures, distribution } = await validateCases(peers, run, indices, ({ index, files, differences }) => {
  for (const { path, theirs, ours } of differences) {
    console.log(`differs ${path}\n  theirs ${String(theirs)}\n  ours   ${String(ours)}`);
  }
  for (const [path, text] of Object.entries(files)) if (text.trim() !== "") console.log(`  ${path}\n${text.replaceAll(/^/gm, "    ")}`);
  console.log(`  again   npm run fuzz -- validate --seed ${seed} --only ${index}`);
});
for (const line of distribution.rows(() => indices.length)) console.log(line);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
