// SPDX-License-Identifier: Apache-2.0
// Sends damaged frames to both ends of our carrier: npm run fuzz -- frames --cases 20000 [--seed 7] [--only server:17]
import { parseArgs } from "node:util";
import { createReport, distributionRows, type Side, tryCases } from "../frames/trial.ts";

const { values: options } = parseArgs({
  options: { cases: { type: "string", default: "5000" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
console.log(`seed ${seed}`);
const report = createReport();
const start = performance.now();
if (options.only === undefined) await tryCases(report, seed, 0, Math.ceil(Number(options.cases) / 2));
else {
  const [side, index] = options.only.split(":");
  await tryCases(report, seed, Number(index), Number(index) + 1, side as Side);
}
for (const row of distributionRows(report)) console.log(row);
const cases = report.passed + report.failures.length;
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
const seconds = (performance.now() - start) / 1000;
console.log(`${seconds.toFixed(1)} s, ${Math.round(cases / seconds)} cases a second; ${peak} MiB at most`);
for (const failure of report.failures.slice(0, 20)) {
  console.log(`${failure}\n  npm run fuzz -- frames --seed ${seed} --only ${failure.slice(0, failure.indexOf(" "))}`);
}
console.log(`${report.passed} passed, ${report.failures.length} failed`);
process.exit(report.failures.length === 0 ? 0 : 1);
