// SPDX-License-Identifier: Apache-2.0
// Leads random resources through their lives as a core does and through the Pulumi bridge, and compares what the provider receives and what
// comes out: npm run fuzz -- pulumi --cases 5000 [--seed 7] [--only 3:17]
import { parseArgs } from "node:util";
import { livesPerProvider, runProvider, type LifeReport } from "../pulumi/life-differential.ts";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "500" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
console.log(`seed ${seed}`);
const report: LifeReport = { ends: new Map(), failures: [] };
if (values.only === undefined) {
  for (let provider = 0, left = Number(values.cases); left > 0; provider += 1, left -= livesPerProvider) {
    await runProvider(report, seed, provider, Math.min(left, livesPerProvider));
  }
} else {
  const [provider, life] = values.only.split(":").map(Number);
  await runProvider(report, seed, provider!, livesPerProvider, life);
}
for (const { case: name, text } of report.failures) console.log(`${text}\n  npm run fuzz -- pulumi --seed ${seed} --only ${name}`);
console.log([...report.ends].map(([end, count]) => `${end}: ${count}`).join(", "));
const passed = [...report.ends.values()].reduce((sum, count) => sum + count, 0);
console.log(`${passed} passed, ${report.failures.length} failed`);
process.exit(report.failures.length === 0 ? 0 : 1);
