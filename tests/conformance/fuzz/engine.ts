// SPDX-License-Identifier: Apache-2.0
// Compares the engine with tofu on generated configurations that change step by step:
// npm run fuzz -- engine --cases 200 [--seed 7] [--steps 5] [--only 17] [--parallel 2] [--out folder]
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { writeCaseFolder } from "../engine-differential/case-folder.ts";
import { peerProviderPaths } from "../engine-differential/peer-providers.ts";
import { failureLines, reportLines, runDifferential } from "../engine-differential/differential.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "100" },
    seed: { type: "string" },
    steps: { type: "string", default: "5" },
    only: { type: "string", multiple: true, default: [] },
    parallel: { type: "string", default: "3" },
    out: { type: "string", default: join(tmpdir(), "tenon-engine-cases") },
    "no-minimize": { type: "boolean", default: false },
    processes: { type: "boolean", default: false },
  },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
const stopping = new AbortController();
process.once("SIGINT", () => {
  console.error("ends after the cases in progress");
  stopping.abort();
});
const run = {
  seed,
  steps: Number(options.steps),
  again: true,
  parallel: Number(options.parallel),
  minimize: !options["no-minimize"],
  signal: stopping.signal,
};
console.log(`seed ${seed}`);
const start = performance.now();
const indices = options.only.length > 0 ? options.only.map(Number) : [...Array(Number(options.cases)).keys()];
const providers = peerProviderPaths((name) => requirePeer(name).path);
const peers = { tofu: requirePeer("tofu").path, providers, ...(!options.processes && { server: requirePeer("tofu-server").path }) };
const report = await runDifferential(peers, run, indices, (failure) => {
  // A long run reports a failure at once.
  const [first] = failure.differences;
  if (failure.reports.length === 0) return console.error(`case ${failure.index}: ${String(first?.ours)}`);
  const folder = join(options.out, `${seed}-${failure.index}`);
  writeCaseFolder(folder, failure, providers);
  console.error(`case ${failure.index}: ${failure.sort}: ${folder}`);
});
const seconds = (performance.now() - start) / 1000;
for (const line of reportLines(report)) console.log(line);
for (const line of failureLines(report, run)) console.log(line);
console.log(`seed ${seed}, ${seconds.toFixed(1)} s`);
process.exit(report.failed + report.unanswered.length === 0 ? 0 : 1);
