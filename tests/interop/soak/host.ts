// SPDX-License-Identifier: Apache-2.0
// A soak test of our host with a Go provider: how calls end when the provider is killed, and whether the host leaks memory.
//
//   npm run soak -- host [--kills 1000] [--calls 500000] [--seed 1]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { measureHostMemory } from "./calling-host.ts";
import { killRepeatedly } from "./killed-provider.ts";
import { randomOf } from "./random.ts";

const options = {
  kills: { type: "string", default: "1000" },
  calls: { type: "string", default: "500000" },
  seed: { type: "string" },
} as const;
const { values } = parseArgs({ options });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const { path } = requirePeer("framework-provider");

console.log(`seed ${seed}`);
const report = await killRepeatedly(path, Number(values.kills), randomOf(seed));
console.log(
  `${report.kills} kills: ${report.calls} calls, ${report.answered} answered, ${report.refused} ended with UNAVAILABLE, ` +
    `${report.wrong.length} with another result; the slowest ended ${report.slowestMs.toFixed(0)} ms after the kill; ` +
    `${report.descriptors} more open files, ${report.socketFolders} socket folders left`,
);
for (const wrong of new Set(report.wrong)) console.log(`  ${wrong}`);

const memory = await measureHostMemory(path, Number(values.calls));
for (const { calls, residentMiB } of memory) console.log(`${calls} calls: resident ${residentMiB.toFixed(1)} MiB`);
const growth = memory.at(-1)!.residentMiB / memory[0]!.residentMiB - 1;
console.log(`grew by ${(growth * 100).toFixed(1)} %`);
if (report.wrong.length > 0 || report.descriptors > 2 || report.socketFolders > 0 || growth >= 0.1) process.exitCode = 1;
