// SPDX-License-Identifier: Apache-2.0
// The packaged Pulumi plugin. The peers are `node -e 0`, `JSON.stringify`, a program on plugin-host's client that makes the same changes, and
// the Go provider that the plugin runs. Linux only: processor time and memory are read from /proc.
//
//   npm run bench -- pulumi [--runs 15] [--only create]
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { requirePeer } from "@tenon/peers";
import { bundledProgram } from "./bundled-program.ts";
import { plainEnvironment, untilExit, untilLine } from "./launched-provider.ts";
import { type Measurement, median, medians, report } from "./measurement.ts";
import { packageProvider } from "./packaged-provider.ts";
import { cpuSecondsOf, packagePlugin, providerOf, residentMibOf, type StartedPlugin, startEngine, startPlugin } from "./pulumi-plugin.ts";
import { inTurn, numberedObjects, timedCalls, type TimedCalls, type TimedTask } from "./pulumi-task.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "15" }, only: { type: "string", default: "" } } });
const runs = Number(options.runs);
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-pulumi-"));
const plugin = await packagePlugin(join(folder, "plugin"));
const engine = await startEngine();
const rows: Measurement[] = [];

type Properties = Record<string, unknown>;

/** Runs the work of the rows that `--only` selects. */
async function measure(name: string, work: () => Promise<readonly Measurement[]>): Promise<void> {
  if (name.includes(options.only)) rows.push(...(await work()));
}

async function selected(provider: string, environment: Readonly<Record<string, string>> = {}): Promise<StartedPlugin> {
  const started = await startPlugin(plugin, engine.address, environment);
  await started.calls.handshake({ engineAddress: engine.address });
  await started.calls.parameterize({ parameters: { case: "args", value: { args: [provider] } } });
  return started;
}

async function configured(provider: string): Promise<StartedPlugin> {
  const started = await selected(provider);
  await started.calls.configure({ args: {}, acceptSecrets: true });
  return started;
}

async function startHandshake(): Promise<readonly Measurement[]> {
  const { ours, node } = await medians(2 * runs, {
    ours: () => untilLine({ path: plugin, args: [engine.address] }),
    node: () => untilExit(process.execPath, ["-e", "0"]),
  });
  return [{ name: "start-handshake", ours, peer: node, unit: "ms" }];
}

/**
 * From the answer of Parameterize to the schema, in a fresh process: of a provider that is used for the first time, and of one that an
 * earlier process has used. The time is the processor time of the plugin, and the time that a caller waits for the first schema; the peer is
 * in a process that has run it before.
 */
async function getSchema(): Promise<readonly Measurement[]> {
  const out = join(folder, "large");
  packageProvider("benchmarks/pulumi-large-provider.ts", "large", out, "--address", "example.com/bench/large", "--mirror");
  const config = join(folder, "cli.tfrc");
  writeFileSync(config, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(out, "mirror"))}\n  }\n}\n`);
  const times: Record<"first" | "elapsed" | "cached" | "stringify", number[]> = { first: [], elapsed: [], cached: [], stringify: [] };
  for (let run = 0; run < runs; run += 1) {
    const home = join(folder, `home-${run}`);
    const environment = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), TF_CLI_CONFIG_FILE: config };
    const first = await timedSchema(environment);
    const cached = await timedSchema(environment);
    if (first.schema !== cached.schema) throw new Error("the cached schema is another one");
    const parsed = JSON.parse(first.schema) as { readonly resources: object };
    if (Object.keys(parsed.resources).length !== 1000 || first.schema.length < 5e6) throw new Error("the schema is too small");
    const before = process.cpuUsage();
    const text = JSON.stringify(parsed);
    const { user, system } = process.cpuUsage(before);
    if (text.length !== first.schema.length) throw new Error("JSON.stringify gives another text");
    times.first.push(first.ms);
    times.elapsed.push(first.elapsedMs);
    times.cached.push(cached.ms);
    times.stringify.push((user + system) / 1000);
  }
  const peer = median(times.stringify);
  return [
    { name: "get-schema", ours: median(times.cached), peer, unit: "ms" },
    { name: "get-schema-first", ours: median(times.first), peer, unit: "ms" },
    { name: "get-schema-first-elapsed", ours: median(times.elapsed), peer, unit: "ms" },
  ];
}

/** A schema, the processor time for it, and the time until the caller had it. */
interface TimedSchema {
  readonly schema: string;
  readonly ms: number;
  readonly elapsedMs: number;
}

async function timedSchema(environment: Readonly<Record<string, string>>): Promise<TimedSchema> {
  const started = await selected("example.com/bench/large", environment);
  const [cpu, start] = [cpuSecondsOf(started.pid), performance.now()];
  const { schema } = await started.calls.getSchema({});
  const elapsedMs = performance.now() - start;
  const ms = (cpuSecondsOf(started.pid) - cpu) * 1000;
  await started.close();
  return { schema, ms, elapsedMs };
}

const tags = { team: "platform", stage: "production", owner: "somebody at example.com" };
const note = {
  title: "What there is to buy, list #",
  body: "List #: bread, butter, and cheese of the mountain kind; two bottles of milk.",
  tags,
};
const createNote: TimedTask = { typeName: "bench_note", config: note, changed: note, warmup: 3_000, calls: 4_000 };

const numbered = (prefix: string, count: number, value: (number: number) => unknown): Properties =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`${prefix}_${String(number).padStart(2, "0")}`, value(number)]));
const wide = {
  ...numbered("text", 20, (number) => `The text of attribute ${number} of object #, of a length as in practice`),
  ...numbered("count", 10, (number) => number * 1000),
  ...numbered("flag", 5, (number) => number % 2 === 0),
  ...numbered("list", 3, () => ["eu-central-1", "eu-west-1", "us-east-1"]),
  ...numbered("map", 2, () => tags),
};
const diffWide: TimedTask = {
  typeName: "bench_wide60",
  config: wide,
  changed: { ...wide, text_00: "Another text of object #" },
  warmup: 2_000,
  calls: 3_000,
};

/** Names of properties: those of lists are plurals. */
function propertiesOf(attributes: Properties): Properties {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const plural = Array.isArray(value) ? `${name}s` : name;
      return [plural.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()), value];
    }),
  );
}

async function pluginCalls(provider: string, kind: "create" | "diff", task: TimedTask): Promise<TimedCalls> {
  const started = await configured(provider);
  const { calls, pid } = started;
  const type = task.typeName === "bench_note" ? "bench:index/note:Note" : "bench:index/wide60:Wide60";
  const urn = `urn:pulumi:dev::project::${type}::first`;
  const inputs = numberedObjects(await namesOf(calls, type, task.config));
  const changed = numberedObjects(await namesOf(calls, type, task.changed));
  const create = async (properties: Properties) => await calls.create({ urn, properties: properties as never });
  const diffs = async (): Promise<() => Promise<void>> => {
    const created = await Promise.all(inputs.map(create));
    const next = inTurn(
      created.map(({ id, properties }, number) => {
        return { urn, id, olds: properties!, oldInputs: inputs[number] as never, news: changed[number] as never };
      }),
    );
    return async () => {
      const { diffs } = await calls.diff(next());
      if (diffs.length !== 1) throw new Error(`the difference has ${diffs.length} properties`);
    };
  };
  const nextInputs = inTurn(inputs);
  const call = kind === "create" ? async (): Promise<void> => void (await create(nextInputs())) : await diffs();
  const timed = await timedCalls(call, task, async () => cpuSecondsOf(pid));
  await started.close();
  return timed;
}

/** Properties of attributes: their names are those of the schema. */
async function namesOf(calls: StartedPlugin["calls"], type: string, attributes: Properties): Promise<Properties> {
  const { schema } = await calls.getSchema({});
  const { resources } = JSON.parse(schema) as { readonly resources: Record<string, { readonly inputProperties: object }> };
  const known = new Set(Object.keys(resources[type]!.inputProperties));
  const named = propertiesOf(attributes);
  for (const name of Object.keys(named))
    if (!known.has(name)) throw new Error(`${type} has no property ${name}, only ${[...known].join()}`);
  return named;
}

async function hostCalls(client: string, provider: string, kind: "create" | "diff", task: TimedTask): Promise<TimedCalls> {
  const { stdout } = await promisify(execFile)(process.execPath, [client, provider, JSON.stringify({ kind, ...task })], {
    env: plainEnvironment,
  });
  return JSON.parse(stdout) as TimedCalls;
}

async function changes(name: string, kind: "create" | "diff", task: TimedTask): Promise<readonly Measurement[]> {
  const provider = packageProvider("benchmarks/measured-provider/main.ts", "bench", join(folder, "bench"));
  const client = await bundledProgram("pulumi-host-client", folder);
  const [ours, host]: TimedCalls[][] = [[], []];
  for (let run = 0; run < Math.ceil(runs / 3); run += 1) {
    ours!.push(await pluginCalls(provider, kind, task));
    host!.push(await hostCalls(client, provider, kind, task));
  }
  const of = (measured: readonly TimedCalls[] | undefined, field: keyof TimedCalls): number => median(measured!.map((each) => each[field]));
  return [
    { name, ours: of(ours, "cpuMicros"), peer: of(host, "cpuMicros"), unit: "µs" },
    { name: `${name}-rate`, ours: of(ours, "perSecond"), peer: of(host, "perSecond"), unit: "/s" },
  ];
}

/** Resident memory after many calls: of the plugin, and of the Go provider that it runs. */
async function memoryLoaded(): Promise<readonly Measurement[]> {
  const provider = join(folder, "terraform-provider-measured");
  writeFileSync(provider, `#!/bin/sh\nTF_LOG_SDK=off exec "${requirePeer("framework-provider").path}" -measured "$@"\n`);
  chmodSync(provider, 0o755);
  const started = await startPlugin(plugin, engine.address);
  await started.calls.parameterize({ parameters: { case: "args", value: { args: [provider, "--provider-name", "bench"] } } });
  await started.calls.getSchema({});
  await started.calls.configure({ args: {} });
  const urn = "urn:pulumi:dev::project::bench:index/note:Note::first";
  const create = async (): Promise<void> => void (await started.calls.create({ urn, properties: note }));
  await timedCalls(create, { warmup: 0, calls: 3_000 }, async () => 0);
  const row = { name: "memory-loaded", ours: residentMibOf(started.pid), peer: residentMibOf(providerOf(started.pid)), unit: "MiB" };
  await started.close();
  return [row];
}

try {
  await measure("start-handshake", startHandshake);
  await measure("get-schema", getSchema);
  await measure("create-note", () => changes("create-note", "create", createNote));
  await measure("diff-wide60", () => changes("diff-wide60", "diff", diffWide));
  await measure("memory-loaded", memoryLoaded);
  report("pulumi", rows);
} finally {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}
