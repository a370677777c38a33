// SPDX-License-Identifier: Apache-2.0
// Compares a provider on provider-sdk with one on terraform-plugin-framework, both built from the same random declarations:
// npm run fuzz -- provider --cases 20000 [--seed 7] [--size 10,2,100] [--only 3:17]
import { parseArgs } from "node:util";
import { createReport, failureLines, reportLines, tryProvider } from "../provider/differential.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    seed: { type: "string" },
    size: { type: "string", default: "10,2,100" },
    only: { type: "string" },
  },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
const [resources, dataSources, calls] = options.size.split(",").map(Number) as [number, number, number];
const run = { seed, resources, dataSources, calls };
console.log(`seed ${seed}`);
const report = createReport();
const start = performance.now();
if (options.only === undefined) {
  for (let provider = 0; provider * calls < Number(options.cases); provider++) {
    const { failed } = report;
    await tryProvider(report, provider, run);
    // A long run reports a failure at once.
    if (report.failed > failed) console.error(`provider ${provider}: ${report.failed - failed} failed`);
  }
} else {
  const [provider, index] = options.only.split(":").map(Number);
  await tryProvider(report, provider!, run, index);
}
const seconds = (performance.now() - start) / 1000;
for (const line of reportLines(report)) console.log(line);
console.log(`${seconds.toFixed(1)} s, ${Math.round(report.distribution.calls / seconds)} calls a second`);
for (const line of failureLines(report, run)) console.log(line);
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
