// SPDX-License-Identifier: Apache-2.0
// Three replicas manage objects that are created, changed and deleted all the time. At the end, all objects must be as they should be, each was
// worked on by one replica at a time, and the memory of no replica has grown: after full garbage collections, from the second to the last quarter
// of the run, by more than 5 % (what is reachable) or 10 % (what is resident).
//
//   npm run soak -- kubernetes-soak [--minutes 30] [--objects 300] [--seed 1]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { NoteFleet } from "./kubernetes-scale-run.ts";
import { growthOf } from "./memory-growth.ts";
import { randomOf } from "./random.ts";
import { overlappingWork, providerCalls, type ReplicaMemory } from "./replica.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    objects: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
  },
});
const [minutes, count, random] = [Number(values.minutes), Number(values.objects), randomOf(Number(values.seed))];
const allowedGrowth: ReplicaMemory = { live: 0.05, resident: 0.1 };
const sampleMs = (minutes * 60_000) / 40;

const programs = { "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") };
await using fleet = await NoteFleet.start(programs, { pollMs: 10_000 });
const replicas = await Promise.all(["one", "two", "three"].map((member) => fleet.replica(member)));
let created = 0;
const next = (): string => `note-${(created += 1)}`;
await fleet.put(Array.from({ length: count }, next), "first");
await fleet.settled();

/** Samples of the replicas, in their order. */
const samples: (readonly ReplicaMemory[])[] = [];
const started = performance.now();
const end = started + minutes * 60_000;
let rounds = 0;
let changes = 0;
while (performance.now() < end) {
  rounds += 1;
  const some = fleet.names.filter(() => random() < 0.1);
  const [removed, changed] = [some.slice(0, some.length / 2), some.slice(some.length / 2)];
  await fleet.remove(removed);
  await fleet.put([...changed, ...removed.map(next)], `round ${rounds}`);
  await fleet.settled();
  changes += 2 * removed.length + changed.length;
  if (performance.now() >= started + samples.length * sampleMs) {
    samples.push(await Promise.all(replicas.map((replica) => replica.memory())));
    console.log(`${((performance.now() - started) / 60_000).toFixed(1)} min, round ${rounds}: ${texts(samples.at(-1)!).join(", ")}`);
  }
  await sleep(1_000);
}

const calls = providerCalls(fleet.calls);
const faults = [...fleet.faults(), ...overlappingWork(calls)];
for (const [index, { member }] of replicas.entries()) {
  for (const what of ["live", "resident"] as const) {
    const growth = growthOf(samples.map((sample) => sample[index]![what]));
    console.log(`${what} memory of replica ${member}: ${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} %`);
    if (growth > allowedGrowth[what]) faults.push(`the ${what} memory of replica ${member} grew by ${(growth * 100).toFixed(1)} %`);
  }
}
for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
console.log(`${rounds} rounds, ${changes} changes of objects, ${calls.length / 2} calls of the provider; ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;

function texts(memories: readonly ReplicaMemory[]): readonly string[] {
  return memories.map(({ live, resident }) => `${live.toFixed(1)} MiB live, ${resident.toFixed(0)} MiB resident`);
}
