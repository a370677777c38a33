// SPDX-License-Identifier: Apache-2.0
// Compares formatConfiguration of @tenon/hcl/write with a core's `fmt` on random files:
// npm run fuzz -- hcl-fmt --cases 20000 [--seed 7] [--core terraform] [--only 17]
import { requirePeer } from "@tenon/peers";
import { parseArgs } from "node:util";
import { compareFmt, generatedFile } from "../hcl/fmt-beside.ts";
import type { FmtLoss } from "../hcl/legacy-source.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "5000" },
    seed: { type: "string" },
    core: { type: "string", default: "tofu" },
    only: { type: "string" },
  },
});
if (options.core !== "tofu" && options.core !== "terraform") throw new RangeError(`no core ${options.core}; there is tofu, terraform`);
const { name, path, version } = requirePeer(options.core);
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
console.log(`seed ${seed}, ${name} ${version}`);

/** Number of files that one process formats. */
const batch = 2000;
const [from, to] = options.only === undefined ? [0, Number(options.cases)] : [Number(options.only), Number(options.only) + 1];
let [written, refused] = [0, 0];
const losses = new Map<FmtLoss, number>();
const problems: string[] = [];
for (let start = from; start < to; start += batch) {
  const sources = Array.from({ length: Math.min(batch, to - start) }, (_, offset) => generatedFile(seed, start + offset));
  const compared = await compareFmt(path, sources);
  written += compared.written;
  refused += compared.refused;
  for (const [loss, count] of compared.losses) losses.set(loss, (losses.get(loss) ?? 0) + count);
  for (const { source, theirs, ours } of compared.problems)
    problems.push(
      `  source  ${JSON.stringify(source)}\n  ${name}  ${JSON.stringify(theirs)}\n  ours  ${JSON.stringify(ours)}\n  again  npm run fuzz -- hcl-fmt --core ${name} --seed ${seed} --only ${start + sources.indexOf(source)}`,
    );
}
console.log(`${written} files written, ${refused} refused by both`);
for (const [loss, count] of losses) console.log(`deviation   ${count} files  ${loss}`);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`${written + refused} passed, ${problems.length} failed`);
if (problems.length > 0) process.exitCode = 1;
