// SPDX-License-Identifier: Apache-2.0
// Compares `workspace.validate()` with `tofu validate -json` on generated configurations with errors:
// npm run fuzz -- validate --cases 200 [--seed 7] [--only 17] [--parallel 2]
import { commandFuzzOptions } from "../engine-differential/fuzz-options.ts";
import { validateCases } from "../engine-differential/validation.ts";

const { indices, run, peers } = commandFuzzOptions();
const { passed, failures, distribution } = await validateCases(peers, run, indices, ({ index, files, differences }) => {
  for (const { path, theirs, ours } of differences) {
    console.log(`differs ${path}\n  theirs ${String(theirs)}\n  ours   ${String(ours)}`);
  }
  for (const [path, text] of Object.entries(files)) if (text.trim() !== "") console.log(`  ${path}\n${text.replaceAll(/^/gm, "    ")}`);
  console.log(`  again   npm run fuzz -- validate --seed ${run.seed} --only ${index}`);
});
for (const line of distribution.rows(() => indices.length)) console.log(line);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
