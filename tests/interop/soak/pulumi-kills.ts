// SPDX-License-Identifier: Apache-2.0
// Kills the Pulumi plugin or the provider behind it while the engine's client makes calls: every call is answered, what was created is in an
// answer or found by the next refresh, and no process or file is left.
//
//   npm run soak -- pulumi-kills [--kills 500] [--seed 1]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { killPlugins } from "./pulumi-kills-run.ts";
import { randomOf } from "./random.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "500" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const report = await killPlugins(requirePeer("pulumi-engine").path, Number(values.kills), randomOf(seed));
const { kills, calls, failed, killed, found, slowestMs, faults } = report;
const places = Object.entries(killed).map(([name, count]) => `${count} ${name}`);
console.log(
  `${kills} kills (${places.join(", ")}) in ${calls} calls, of which ${failed} failed; the last answer came after at most ${Math.round(slowestMs)} ms`,
);
console.log(`${found} objects were found by a refresh`);
for (const fault of new Set(faults)) console.log(`  ${fault}`);
console.log(`${kills} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;
