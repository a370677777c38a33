// SPDX-License-Identifier: Apache-2.0
// Three replicas share 1,000 objects: all become ready, each is worked on by one replica at a time, the others take over from one that is killed
// within two durations of a Lease, and no replica needs more memory than the install manifest requests.
//
//   npm run soak -- kubernetes-scale [--objects 1000]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { until } from "../kubernetes-setup.ts";
import { NoteFleet } from "./kubernetes-scale-run.ts";
import { overlappingWork, providerCalls, type ReplicaMemory } from "./replica.ts";

const { values } = parseArgs({ options: { objects: { type: "string", default: "1000" } } });
const count = Number(values.objects);
const durationMs = 15_000;
/** The memory that the Deployment of the install manifest requests. */
const requestedMib = 256;
const faults: string[] = [];
const programs = { "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") };
await using fleet = await NoteFleet.start(programs, { pollMs: 3_600_000 });
const replicas = await Promise.all(["one", "two", "three"].map((member) => fleet.replica(member)));
await areDistributed("5,5,6");
const empty = await memories();

const started = performance.now();
const names = Array.from({ length: count }, (_, index) => `note-${index}`);
await fleet.put(names, "first");
await fleet.settled();
console.log(`${count} objects were ready after ${seconds(started)} s`);
const full = await memories();
for (const [index, { live, resident }] of full.entries()) {
  const kibPerObject = ((live - empty[index]!.live) * 1024) / count;
  const { member } = replicas[index]!;
  console.log(`replica ${member} has ${resident.toFixed(0)} MiB resident, and ${kibPerObject.toFixed(1)} KiB for each object`);
  if (resident > requestedMib) faults.push(`replica ${member} needs more than ${requestedMib} MiB`);
}

await replicas[0]!.end();
const killed = performance.now();
await areDistributed("8,8");
const takeover = performance.now() - killed;
console.log(`the shards of a killed replica were taken over after ${seconds(killed)} s, with Leases of ${durationMs / 1000} s`);
if (takeover > 2 * durationMs) faults.push("the takeover took longer than two durations of a Lease");
await fleet.put(names, "second");
await fleet.settled();

await fleet.replica("four");
await areDistributed("5,5,6");
await fleet.put(names, "third");
await fleet.settled();

const calls = providerCalls(fleet.calls);
const members = new Set(calls.map(({ member }) => member));
faults.push(...overlappingWork(calls), ...fleet.faults());
if (members.size !== 4) faults.push(`${members.size} of 4 replicas called the provider`);
for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
console.log(`${calls.length / 2} calls of the provider by ${members.size} replicas; ${count * 3} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;

async function memories(): Promise<readonly ReplicaMemory[]> {
  return await Promise.all(replicas.map((replica) => replica.memory()));
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

/** Waits until the replicas hold these numbers of shards. */
async function areDistributed(numbers: string): Promise<void> {
  await until(async () => [...(await fleet.shardsByHolder()).values()].toSorted((a, b) => a - b).join() === numbers);
}
