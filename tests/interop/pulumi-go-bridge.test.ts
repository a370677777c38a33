// SPDX-License-Identifier: Apache-2.0
// Stacks that change between Pulumi's own Terraform bridge, which is written in Go, and this one. Its plugin is published neither as a package
// nor as a module: tests that run it need the variable PULUMI_GO_BRIDGE with its path. fixtures/go-bridge-states.json is what it wrote;
// with UPDATE_GO_BRIDGE_STATES=1 they write it again.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import type { ServiceClient } from "@tenon/protocol/carrier/calls";
import type { ResourceProvider } from "@tenon/protocol/pulumi";
import { afterAll, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

type JsonObject = { [name: string]: Json };
type Json = null | boolean | number | string | Json[] | JsonObject;
type Calls = ServiceClient<typeof ResourceProvider>;

interface Case {
  readonly peer: "framework-provider" | "sdkv2-provider" | "provider-time";
  /** Token of the type, without the package. */
  readonly type: string;
  readonly config: (folder: string) => JsonObject;
  readonly inputs: JsonObject;
  readonly change: JsonObject;
  /** Whether the resource has an identity: the Go bridge cannot update it. */
  readonly identity?: boolean;
  /** Whether the bridges give the provider values of different types: arrays in dynamic values are tuples here, as in the CLIs. */
  readonly differs?: boolean;
}

interface State {
  readonly id: string;
  readonly outputs: JsonObject;
  /** Outputs after a refresh: the legacy SDK then has empty values instead of null. */
  readonly read: JsonObject;
}

const records = (folder: string): JsonObject => ({ directory: folder, token: "right" });
const servers = (folder: string): JsonObject => ({ directory: folder, endpoint: { url: "https://e" } });

const cases: Readonly<Record<string, Case>> = {
  "a resource with every kind of attribute": {
    peer: "framework-provider",
    type: "record:Record",
    config: records,
    inputs: {
      name: "first",
      kind: "plain",
      ratio: 0.1,
      precise: 0.1,
      tags: ["a"],
      labels: ["x", "y"],
      notes: { "k.1": "v" },
      origin: { host: "h" },
      anything: { deep: [1, "two"], more: 0.1 },
      secret: "hunter2",
      password: "hunter3",
      passwordVersion: 1,
      single: { key: "s" },
      items: [{ key: "i" }],
      entries: { e: { key: "e" } },
      members: [{ key: "m", value: "1" }],
      rules: [{ port: 80, matches: [{ pattern: "*" }] }],
      accesses: [{ role: "admin", write: true }],
      limits: { cpu: 1.5 },
    },
    change: { name: "second", tags: ["b"] },
    identity: true,
  },
  "a resource with few attributes": {
    peer: "framework-provider",
    type: "record:Record",
    config: records,
    inputs: { name: "few", tags: [], labels: [], notes: {}, anything: { a: { b: "c" } } },
    change: { ratio: 2 },
    identity: true,
  },
  "a resource with a dynamic array": {
    peer: "framework-provider",
    type: "record:Record",
    config: records,
    inputs: { name: "array", anything: ["a", "b"] },
    change: { anything: ["a", "c"] },
    identity: true,
    differs: true,
  },
  "a resource of the legacy SDK": {
    peer: "sdkv2-provider",
    type: "server:Server",
    config: servers,
    inputs: {
      name: "Web",
      image: "linux",
      cores: 4,
      password: "hunter2",
      groups: ["y", "x"],
      labels: { k: "v" },
      disks: [{ gigabytes: 10, mounts: [{ path: "/b" }, { path: "/a", readonly: true }] }],
      rules: [{ port: 80 }, { port: 53, protocol: "udp" }],
      contact: { mail: "a@b" },
    },
    change: { cores: 8 },
  },
  "a resource of the legacy SDK with few attributes": {
    peer: "sdkv2-provider",
    type: "server:Server",
    config: servers,
    inputs: { name: "few", image: "linux", load: 0.1, timeouts: { create: "5m" } },
    change: { cores: 1 },
  },
  "a resource of protocol 5": {
    peer: "provider-time",
    type: "offset:Offset",
    config: () => ({}),
    inputs: { baseRfc3339: "2026-01-02T03:04:05Z", offsetDays: 7, triggers: { a: "b" } },
    change: { offsetDays: 8 },
  },
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-go-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const statesFile = join(import.meta.dirname, "fixtures/go-bridge-states.json");
const states: Record<string, State> = existsSync(statesFile) ? (JSON.parse(readFileSync(statesFile, "utf8")) as Record<string, State>) : {};
const goBridge = process.env["PULUMI_GO_BRIDGE"];
const withoutGoBridge = "PULUMI_GO_BRIDGE does not name the plugin of Pulumi's own bridge";

/** What the engine sends to a provider that does not accept secrets. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  if ("4dabf18193072939515e22adb298388d" in value) return withoutSecrets(value["value"]!);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutSecrets(part)]));
}

/**
 * The Go bridge leaves out attributes that are null, and states them in the difference; here they are null in the outputs. An absent element
 * of a list that allows one is an empty list on both sides.
 */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withoutNulls(part)] as const);
  const kept = parts.filter(([, part]) => part !== null && !isAbsent(part));
  return Object.fromEntries(kept.filter(([name, part]) => name !== "ps" || Object.keys(part as object).length > 0));
}

function isAbsent(part: Json): boolean {
  if (JSON.stringify(part) === '{"plu":{"i":{}}}') return true;
  if (typeof part !== "object" || part === null || Array.isArray(part) || !("replace" in part)) return false;
  const { raw = null } = part["replace"] as { readonly raw?: Json };
  return raw === null || (Array.isArray(raw) ? raw.length === 0 : typeof raw === "object" && Object.keys(raw).join() === "type");
}

function comparable(outputs: JsonObject): Json {
  const { __meta: meta, ...rest } = withoutSecrets(outputs) as JsonObject;
  const { schema_version, private_state } = JSON.parse((meta as string | undefined) ?? "{}") as Record<string, string>;
  return { ...(withoutNulls(rest) as JsonObject), schema_version: schema_version ?? "0", private_state: private_state ?? "" };
}

/** A plugin that is configured for the provider of a case. */
class Bridge implements AsyncDisposable {
  readonly calls: Calls;
  readonly #process: PluginProcess;
  readonly #engine: TestEngine;

  private constructor(engine: TestEngine, plugin: PluginProcess) {
    this.#engine = engine;
    this.#process = plugin;
    this.calls = plugin.connect();
  }

  static async start(kind: "go" | "ours", provider: string, config: JsonObject): Promise<Bridge> {
    const engine = await TestEngine.start();
    const plugin =
      kind === "go" ? await PluginProcess.startCommand([goBridge!, engine.address]) : await PluginProcess.start([engine.address]);
    const bridge = new Bridge(engine, plugin);
    await bridge.calls.parameterize({ parameters: { case: "args", value: { args: [provider] } } });
    await bridge.calls.configure({ args: config });
    return bridge;
  }

  async created(urn: string, inputs: JsonObject): Promise<State> {
    const { id, properties } = await this.calls.create({ urn, properties: inputs });
    const outputs = withoutSecrets(properties as JsonObject) as JsonObject;
    const read = await this.calls.read({ urn, id, properties: outputs, inputs });
    return { id, outputs, read: withoutSecrets(read.properties as JsonObject) as JsonObject };
  }

  /** Compares a resource with inputs, and refreshes it. */
  async unchanged(urn: string, { id, outputs }: State, { inputs }: Case): Promise<readonly [changes: number, read: JsonObject]> {
    const { changes } = await this.calls.diff({ urn, id, olds: outputs, oldInputs: inputs, news: inputs });
    const read = await this.calls.read({ urn, id, properties: outputs, inputs });
    return [changes, withoutSecrets(read.properties as JsonObject) as JsonObject];
  }

  /** Changes a resource, and deletes it. */
  async changed(urn: string, { id, outputs }: State, { inputs, change }: Case): Promise<JsonObject> {
    const news = { ...inputs, ...change };
    const updated = (await this.calls.update({ urn, id, olds: outputs, oldInputs: inputs, news })).properties as JsonObject;
    await this.calls.delete({ urn, id, properties: withoutSecrets(updated) as JsonObject, oldInputs: news });
    return updated;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#engine[Symbol.asyncDispose]();
  }
}

function urnOf({ peer, type }: Case): string {
  const packageName = { "framework-provider": "framework", "sdkv2-provider": "sdkv2", "provider-time": "time" }[peer];
  return `urn:pulumi:dev::project::${packageName}:index/${type}::first`;
}

for (const peer of ["framework-provider", "sdkv2-provider", "provider-time"] as const) {
  describePeer([peer], `a stack of the Go bridge with ${peer}`, ({ [peer]: provider }) => {
    const own = Object.entries(cases).filter(([, { peer: name }]) => name === peer);

    test.for(own)("has the recorded state, with %s", async ([name, entry], { expect, skip }) => {
      skip(goBridge === undefined, withoutGoBridge);
      const config = entry.config(mkdtempSync(join(folder, "go-")));
      await using go = await Bridge.start("go", provider.path, config);
      const created = await go.created(urnOf(entry), entry.inputs);
      if (process.env["UPDATE_GO_BRIDGE_STATES"] === "1") states[name] = created;
      expect(created).toEqual(states[name]);
    });

    test.for(own)("goes on with this bridge, with %s", { timeout: 120_000 }, async ([name, entry], { expect }) => {
      const config = entry.config(mkdtempSync(join(folder, "ours-")));
      await using ours = await Bridge.start("ours", provider.path, config);
      const urn = urnOf(entry);
      const created = await ours.created(urn, entry.inputs);
      const state = states[name]!;
      expect(created.id).toBe(state.id);
      // What this bridge writes is what the Go bridge writes, including the difference to the state of the provider.
      if (entry.differs !== true) expect(comparable(created.outputs)).toEqual(comparable(state.outputs));
      const [changes, read] = await ours.unchanged(urn, state, entry);
      expect(changes).toBe(1);
      if (entry.differs !== true) expect(comparable(read)).toEqual(comparable(state.read));
      expect(await ours.changed(urn, state, entry)).toMatchObject(entry.change);
    });

    test.for(own)("goes on after this bridge, with %s", { timeout: 120_000 }, async ([, entry], { expect, skip }) => {
      skip(goBridge === undefined, withoutGoBridge);
      const config = entry.config(mkdtempSync(join(folder, "back-")));
      const urn = urnOf(entry);
      await using ours = await Bridge.start("ours", provider.path, config);
      const created = await ours.created(urn, entry.inputs);
      await using go = await Bridge.start("go", provider.path, config);
      const [changes, read] = await go.unchanged(urn, created, entry);
      expect(changes).toBe(1);
      expect(comparable(read)).toEqual(comparable(created.read));
      if (entry.identity !== true) expect(await go.changed(urn, created, entry)).toMatchObject(entry.change);
    });
  });
}

afterAll(() => {
  if (process.env["UPDATE_GO_BRIDGE_STATES"] === "1") writeFileSync(statesFile, `${JSON.stringify(states, null, 2)}\n`);
});
