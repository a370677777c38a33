// SPDX-License-Identifier: Apache-2.0
// Our host and a client on go-plugin and go-cty, with the fastest available provider: tests/peers/bare-provider, directly on
// terraform-plugin-go, which plans the proposed state and does not log. The figures are therefore of the clients.
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

/** Bundles our clients, as a tool that starts often would be. */
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
    // Loaded only when the environment selects it; bundling it would add its dependencies to every start.
    external: ["@tenon/protocol/carrier/connect-node-client"],
    logLevel: "warning",
  });
}

/** Runs a client in its own process, with its own provider. */
async function measuredBy(command: string, args: readonly string[], what: HostMeasurement): Promise<HostMeasured> {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, JSON.stringify(what));
  // Our host sets this variable itself.
  const env = { ...process.env, TF_LOG_SDK: "off", TF_LOG_PROVIDER: "off" };
  const { stdout } = await run(command, [...args, file, provider], { env });
  return JSON.parse(stdout) as HostMeasured;
}

/** Creates the task of planning a resource. */
function planOf({ plan }: ResourceCalls): HostMeasurement {
  const { typeName, priorState, proposedNewState, config } = fromBinary(PlanResourceChange_RequestSchema, plan.request);
  const text = (value: { readonly msgpack: Uint8Array } | undefined): string => Buffer.from(value!.msgpack).toString("base64");
  return { typeName, priorState: text(priorState), proposedNewState: text(proposedNewState), config: text(config) };
}

const planNote = planOf(note);
const planWide = planOf(wide60);
/** Calls before the measurement: V8 optimises over tens of thousands of calls. */
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
  if (isSelected("launch-first-schema")) measurements.push(await launchRow());
  for (const [name, what] of Object.entries(rates)) if (isSelected(name)) measurements.push(...(await rateRows(name, what)));
  if (isSelected("memory-client")) measurements.push(await memoryRow());
  report("host", measurements);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function isSelected(row: string): boolean {
  return row.startsWith(options.only);
}

/** Checks that both clients decode the same results. */
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

/** Sorts map entries, which Go encodes in any order. */
function normal(text: string, type: Type): string {
  return Buffer.from(msgpack.encode(msgpack.decode(Buffer.from(text, "base64"), type), type)).toString("base64");
}

/** Measures milliseconds from launch to the types of the first schema, in a new process, loading included. */
async function launchRow(): Promise<Measurement> {
  const first = (client: Client) => async (): Promise<number> => (await client({ ...planNote, calls: 1 })).firstSchemaMs;
  const taken = await medians(runs * 4, { ours: first(ours), go: first(go) });
  return { name: "launch-first-schema", ours: taken.ours, peer: taken.go, unit: "ms" };
}

/** Measures calls per second of warmed-up processes, and the client's processor time per call. */
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

/** Measures the client's resident memory in MiB after a number of plans. */
async function memoryRow(): Promise<Measurement> {
  const resident = (client: Client) => async (): Promise<number> =>
    (await client({ ...planNote, calls: 20_000, inFlight: 10 })).residentKiB / 1024;
  const taken = await medians(runs, { ours: resident(ours), go: resident(go) });
  return { name: "memory-client", ours: taken.ours, peer: taken.go, unit: "MiB" };
}
