// SPDX-License-Identifier: Apache-2.0
// Kills processes at random points of applies, and checks that the next run knows all that exists.
//
//   npm run soak -- engine-kills [--kills 1000] [--seed 1]
import { parseArgs } from "node:util";
import { killApplies } from "./engine-kills-run.ts";
import { randomOf } from "./random.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "1000" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const { kills, applies, places, recovered, reported, orphans, refused, faults } = await killApplies(Number(values.kills), randomOf(seed));
const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
console.log(
  `${kills} kills in ${applies} applies (${counts(places)}); ${refused} configurations refused, because their changes wait for each other`,
);
console.log(
  `${recovered} finished changes taken from journals; reported without an answer: ${counts(reported)}; ${orphans} of them existed`,
);
for (const fault of new Set(faults)) console.log(`  ${fault}`);
console.log(`${kills} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;
