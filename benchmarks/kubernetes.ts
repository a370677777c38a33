// SPDX-License-Identifier: Apache-2.0
// The operator of custom resources, bundled, against a controller in Go on controller-runtime that makes the same calls to the same provider and the
// same writes to the API server. Linux only: processor time and memory are read from /proc.
//
//   npm run peers -- --only kubernetes-controller
//   npm run bench -- kubernetes [--objects 1000] [--runs 3] [--seconds 20] [--only ours] [--profile <folder>]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { bundledProgram } from "./bundled-program.ts";
import { countCalls, requireSameCalls, type OperatorCalls } from "./kubernetes-calls.ts";
import { NoteCluster } from "./kubernetes-cluster.ts";
import { RunningOperator, sides, type Side } from "./kubernetes-sides.ts";
import { type Measurement, median, report } from "./measurement.ts";
import { cpuSecondsOf, residentMibOf } from "./pulumi-plugin.ts";

const { values: options } = parseArgs({
  options: {
    objects: { type: "string", default: "1000" },
    runs: { type: "string", default: "3" },
    seconds: { type: "string", default: "20" },
    only: { type: "string" },
    profile: { type: "string" },
  },
});
const [count, runs, noopSeconds] = [Number(options.objects), Number(options.runs), Number(options.seconds)];
const measuredSides = sides.filter((side) => options.only === undefined || options.only === side);
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-kubernetes-"));

interface Figures {
  readonly startReadyMs: number;
  readonly createsPerSecond: number;
  readonly createCpuMicros: number;
  readonly noopsPerSecond: number;
  readonly noopCpuMicros: number;
  readonly memoryMib: number;
}

/** Measures one side, in fresh processes. */
async function measure(cluster: NoteCluster, side: Side, bundle: string): Promise<Figures> {
  const { kubeconfig } = cluster;
  const flags = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
  const start = { bundle, kubeconfig, provider: requirePeer("bare-provider").path, flags };
  using notes = await cluster.createNotes(count);

  const started = performance.now();
  const creating = await RunningOperator.start(side, { ...start, pollMs: 3_600_000 });
  await creating.ready();
  const ready = performance.now();
  const cpuBefore = cpuSecondsOf(creating.pid);
  await notes.allReady();
  const createSeconds = (performance.now() - ready) / 1000;
  const createCpu = cpuSecondsOf(creating.pid) - cpuBefore;
  await creating.end();

  // From now on, nothing changes: every reconcile reads and plans.
  const observing = await RunningOperator.start(side, { ...start, pollMs: 1 });
  await observing.ready();
  await sleep(5_000);
  const [before, cpu, begin] = [await observing.reconciles(), cpuSecondsOf(observing.pid), performance.now()];
  await sleep(noopSeconds * 1000);
  const [reconciles, seconds] = [(await observing.reconciles()) - before, (performance.now() - begin) / 1000];
  const noopCpu = cpuSecondsOf(observing.pid) - cpu;
  const memoryMib = residentMibOf(observing.pid);
  await observing.end();
  await cluster.removeNotes();
  return {
    startReadyMs: ready - started,
    createsPerSecond: count / createSeconds,
    createCpuMicros: (createCpu * 1e6) / count,
    noopsPerSecond: reconciles / seconds,
    noopCpuMicros: (noopCpu * 1e6) / reconciles,
    memoryMib,
  };
}

/** Checks that both sides make the same calls, and prints these. */
async function compareCalls(cluster: NoteCluster, bundle: string): Promise<void> {
  const calls = {} as Record<Side, OperatorCalls>;
  for (const side of sides) calls[side] = await countCalls(cluster, side, { bundle, folder });
  requireSameCalls(calls.ours, calls.peer);
  const text = (counts: object): string =>
    Object.entries(counts)
      .map(([name, number]) => `${number} ${name}`)
      .join(", ");
  console.log(`calls for each creation: ${text(calls.ours.create)}`);
  console.log(`calls for each reconcile without a change: ${text(calls.ours.noop)}`);
}

try {
  await using cluster = await NoteCluster.start();
  const bundle = await bundledProgram("kubernetes-operator", folder);
  if (options.only === undefined) await compareCalls(cluster, bundle);
  const figures: Record<Side, Figures[]> = { ours: [], peer: [] };
  for (let run = 0; run < runs; run += 1) {
    for (const side of measuredSides) figures[side].push(await measure(cluster, side, bundle));
  }
  const row = (name: string, field: keyof Figures, unit: string): Measurement => {
    const of = (side: Side): number => median(figures[side].map((each) => each[field]));
    return { name, ours: of("ours"), peer: of("peer"), unit };
  };
  report("kubernetes", [
    row("reconcile-noop", "noopsPerSecond", "/s"),
    row("reconcile-noop-cpu", "noopCpuMicros", "µs"),
    row(`create-${count}`, "createsPerSecond", "/s"),
    row(`create-${count}-cpu`, "createCpuMicros", "µs"),
    row(`memory-${count}`, "memoryMib", "MiB"),
    row("start-ready", "startReadyMs", "ms"),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
