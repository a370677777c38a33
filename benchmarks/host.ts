// SPDX-License-Identifier: Apache-2.0
// Our host beside a client on go-plugin and go-cty, on the fastest provider there is: one directly on terraform-plugin-go, which answers a
// plan with what was proposed (tests/peers/bare-provider), quiet. So what is measured is the client.
//
//   npm run bench -- host [--runs 5] [--only plan]
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { build } from "esbuild";
import type { Type } from "@tenon/cty";
import * as msgpack from "@tenon/cty/msgpack";
import { requirePeer } from "@tenon/peers";
import { PlanResourceChange_RequestSchema } from "@tenon/protocol/tfplugin6";
import type { HostMeasured, HostMeasurement } from "./host-measurement.ts";
import { type Measurement, median, medians, report } from "./measurement.ts";
import { note, type ResourceCalls, wide60 } from "./provider-script.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "5" }, only: { type: "string", default: "" } } });
const runs = Number(options.runs);
const provider = requirePeer("bare-provider").path;
const goClient = requirePeer("rpc-client").path;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-host-"));
let files = 0;

type Client = (what: HostMeasurement) => Promise<HostMeasured>;

const ours: Client = (what) => measuredBy(process.execPath, [join(folder, what.plain ? "host-wire-client.mjs" : "host-client.mjs")], what);
const go: Client = (what) => measuredBy(goClient, ["-measure"], what);

/** Bundles our clients, as a tool that starts often is. */
async function bundleClients(): Promise<void> {
  await build({
    entryPoints: ["host-client.ts", "host-wire-client.ts"],
    absWorkingDir: import.meta.dirname,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // Loaded only where the environment asks for it; bundled, it would lay what it needs into what everything needs.
    external: ["@tenon/protocol/carrier/connect-node-client"],
    logLevel: "warning",
  });
}

/** A client in a process of its own, with a provider of its own. */
async function measuredBy(command: string, args: readonly string[], what: HostMeasurement): Promise<HostMeasured> {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, JSON.stringify(what));
  // What our host tells a provider by itself.
  const env = { ...process.env, TF_LOG_SDK: "off", TF_LOG_PROVIDER: "off" };
  const { stdout } = await run(command, [...args, file, provider], { env });
  return JSON.parse(stdout) as HostMeasured;
}

/** A plan of a resource, as what a client is to do. */
function planOf({ plan }: ResourceCalls): HostMeasurement {
  const { typeName, priorState, proposedNewState, config } = fromBinary(PlanResourceChange_RequestSchema, plan.request);
  const text = (value: { readonly msgpack: Uint8Array } | undefined): string => Buffer.from(value!.msgpack).toString("base64");
  return { typeName, priorState: text(priorState), proposedNewState: text(proposedNewState), config: text(config) };
}

const planNote = planOf(note);
const planWide = planOf(wide60);
/** V8 takes tens of thousands of calls until it has compiled what they need as well as it can. */
const timed = { warmup: 40_000, seconds: 2 };

/** Calls a second, by row. */
const rates: Readonly<Record<string, HostMeasurement>> = {
  "wire-10inflight": { ...planNote, ...timed, plain: true, inFlight: 10 },
  "plan-note-sequential": { ...planNote, ...timed, warmup: 20_000, inFlight: 1 },
  "plan-note-10inflight": { ...planNote, ...timed, inFlight: 10 },
  "plan-wide60-10inflight": { ...planWide, ...timed, inFlight: 10 },
};

const measurements: Measurement[] = [];
try {
  await bundleClients();
  await checkSame(note, planNote);
  await checkSame(wide60, planWide);
  if (asked("launch-first-schema")) measurements.push(await launchRow());
  for (const [name, what] of Object.entries(rates)) if (asked(name)) measurements.push(...(await rateRows(name, what)));
  if (asked("memory-client")) measurements.push(await memoryRow());
  report("host", measurements);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function asked(row: string): boolean {
  return row.startsWith(options.only);
}

/** Both clients must understand the same of what they are answered. */
async function checkSame({ type }: ResourceCalls, what: HostMeasurement): Promise<void> {
  const expected = normal(what.proposedNewState, type);
  for (const client of [ours, go]) {
    for (const plain of [false, true]) {
      const { plannedState } = await client({ ...what, plain, calls: 1 });
      const planned = normal(plannedState, type);
      if (planned !== expected) throw new Error(`${what.typeName} was planned otherwise\nproposed ${expected}\nplanned  ${planned}`);
    }
  }
}

/** Go writes maps in any order. */
function normal(text: string, type: Type): string {
  return Buffer.from(msgpack.encode(msgpack.decode(Buffer.from(text, "base64"), type), type)).toString("base64");
}

/** Milliseconds from launch to the types of a first schema, at a process's first launch: what it takes to load is part of it. */
async function launchRow(): Promise<Measurement> {
  const first = (client: Client) => async (): Promise<number> => (await client({ ...planNote, calls: 1 })).firstSchemaMs;
  const taken = await medians(runs * 4, { ours: first(ours), go: first(go) });
  return { name: "launch-first-schema", ours: taken.ours, peer: taken.go, unit: "ms" };
}

/** Calls a second of processes that have warmed up, and what processor time of the client's each of these calls takes. */
async function rateRows(name: string, what: HostMeasurement): Promise<Measurement[]> {
  const cpu = { ours: [] as number[], go: [] as number[] };
  const rate = (client: Client, side: keyof typeof cpu) => async (): Promise<number> => {
    const { calls, seconds, cpuSeconds } = await client(what);
    cpu[side].push((cpuSeconds * 1e6) / calls);
    return calls / seconds;
  };
  const taken = await medians(runs, { ours: rate(ours, "ours"), go: rate(go, "go") });
  return [
    { name, ours: taken.ours, peer: taken.go, unit: "/s" },
    { name: `${name}-client-cpu`, ours: median(cpu.ours.slice(1)), peer: median(cpu.go.slice(1)), unit: "µs" },
  ];
}

/** MiB of the client that are resident after so many plans. */
async function memoryRow(): Promise<Measurement> {
  const resident = (client: Client) => async (): Promise<number> =>
    (await client({ ...planNote, calls: 20_000, inFlight: 10 })).residentKiB / 1024;
  const taken = await medians(runs, { ours: resident(ours), go: resident(go) });
  return { name: "memory-client", ours: taken.ours, peer: taken.go, unit: "MiB" };
}
