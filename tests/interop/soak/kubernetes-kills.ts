// SPDX-License-Identifier: Apache-2.0
// Kills an operator of custom resources while it creates, changes and deletes resources: no resource is created twice, and none is lost.
//
//   npm run soak -- kubernetes-kills [--kills 500] [--seed 1]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { killOperators } from "./kubernetes-kills-run.ts";
import { randomOf } from "./random.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "500" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const programs = { "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") };
const { kills, interrupted, decided, faults } = await killOperators(programs, Number(values.kills), randomOf(seed));
console.log(`after ${kills} kills, ${interrupted} objects were not yet as they should be; ${decided} creations had to be decided`);
for (const fault of faults) console.log(`  ${fault}`);
console.log(`${kills} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;
