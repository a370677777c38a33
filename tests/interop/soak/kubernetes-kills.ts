// SPDX-License-Identifier: Apache-2.0
// Kills replicas of an operator, or their provider, while they create, change and delete resources: no resource is created twice, and none is lost.
//
//   npm run soak -- kubernetes-kills [--kills 500] [--victim replica|provider] [--seed 1]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { killOften, type KillProgress, type Victim } from "./kubernetes-kills-run.ts";
import { randomOf } from "./random.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "500" }, victim: { type: "string", default: "replica" }, seed: { type: "string" } },
});
if (values.victim !== "replica" && values.victim !== "provider") throw new Error("the victim is replica or provider");
const victim: Victim = values.victim;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const programs = { "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") };
const start = performance.now();
const { kills, calls, interrupted, decided, removed, created, faults } = await killOften(
  programs,
  victim,
  Number(values.kills),
  randomOf(seed),
  reportProgress,
);
const inFlight = Object.entries(calls).map(([name, count]) => `${count} of ${name}`);
console.log(
  `${kills} kills of the ${victim} in ${((performance.now() - start) / 1000).toFixed(0)} s; calls in flight: ${inFlight.join(", ")}`,
);
console.log(
  `${created} notes were created, ${removed} were removed by others; ${interrupted} objects were not yet as they should be after a kill; ${decided} creations were decided`,
);
for (const fault of faults) console.log(`  ${fault}`);
console.log(`${kills} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;

/** Prints a line after each 20 kills. */
function reportProgress(progress: KillProgress): void {
  if (progress.kills % 20 > 0) return;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${progress.kills} kills after ${seconds} s; ${progress.interrupted} objects interrupted, ${progress.decided} creations decided`,
  );
}
