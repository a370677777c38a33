// SPDX-License-Identifier: Apache-2.0
// Leads random resources through their lives as a core does and through the Pulumi bridge, and compares what the provider receives and what
// comes out; a tenth of them under OpenTofu: npm run fuzz -- pulumi --cases 5000 [--seed 7] [--only 3:17]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { livesPerProvider, runProvider, runTofuProvider, tofuLivesPerProvider, type LifeReport } from "../pulumi/life-differential.ts";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "500" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
console.log(`seed ${seed}`);
const report: LifeReport = { ends: new Map(), failures: [] };
const tofu = requirePeer("tofu").path;
if (values.only === undefined) {
  const cases = Number(values.cases);
  const underTofu = Math.floor(cases / 10 / tofuLivesPerProvider);
  for (let provider = 0; provider < underTofu; provider += 1) await runTofuProvider(tofu, report, seed, provider);
  for (let provider = 0, left = cases - underTofu * tofuLivesPerProvider; left > 0; provider += 1, left -= livesPerProvider) {
    await runProvider(report, seed, provider, Math.min(left, livesPerProvider));
  }
} else {
  const [provider, life] = values.only.replace("tofu:", "").split(":").map(Number);
  if (values.only.startsWith("tofu:")) await runTofuProvider(tofu, report, seed, provider!, life);
  else await runProvider(report, seed, provider!, livesPerProvider, life);
}
for (const { case: name, text } of report.failures) console.log(`${text}\n  npm run fuzz -- pulumi --seed ${seed} --only ${name}`);
console.log([...report.ends].map(([end, count]) => `${end}: ${count}`).join(", "));
const passed = [...report.ends.values()].reduce((sum, count) => sum + count, 0);
console.log(`${passed} passed, ${report.failures.length} failed`);
process.exit(report.failures.length === 0 ? 0 : 1);
