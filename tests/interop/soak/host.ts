// SPDX-License-Identifier: Apache-2.0
// Our host beside a Go provider, for long: how it fares when the provider is killed, and whether it keeps its memory.
//
//   npm run soak -- host [--kills 1000] [--calls 500000] [--seed 1]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { hostMemory } from "./calling-host.ts";
import { killOften } from "./killed-provider.ts";

const options = {
  kills: { type: "string", default: "1000" },
  calls: { type: "string", default: "500000" },
  seed: { type: "string" },
} as const;
const { values } = parseArgs({ options });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const { path } = requirePeer("framework-provider");

console.log(`seed ${seed}`);
const report = await killOften(path, Number(values.kills), randomOf(seed));
console.log(
  `${report.kills} kills: ${report.calls} calls, ${report.answered} answered before, ${report.refused} ended with the error, ` +
    `${report.wrong.length} otherwise; the slowest ${report.slowestMs.toFixed(0)} ms after the kill; ` +
    `${report.descriptors} files more are open, ${report.socketFolders} folders of sockets left`,
);
for (const wrong of new Set(report.wrong)) console.log(`  ${wrong}`);

const memory = await hostMemory(path, Number(values.calls));
for (const { calls, residentMiB } of memory) console.log(`${calls} calls: resident ${residentMiB.toFixed(1)} MiB`);
const growth = memory.at(-1)!.residentMiB / memory[0]!.residentMiB - 1;
console.log(`grew by ${(growth * 100).toFixed(1)} %`);
if (report.wrong.length > 0 || report.descriptors > 2 || report.socketFolders > 0 || growth >= 0.1) process.exitCode = 1;

/** Mulberry32: the same numbers for the same seed. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
