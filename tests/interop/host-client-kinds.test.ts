// SPDX-License-Identifier: Apache-2.0
// The client's calls of actions, ephemeral resources, moves and state stores, and changes that are cancelled.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import {
  openProvider,
  unknownValue,
  type LogRecord,
  type OpenOptions,
  type PluginHostError,
  type ProviderClient,
} from "@tenon/plugin-host";
import { afterAll, describe, test } from "vitest";
import { isFrameworkCreate, LogWatcher } from "./log-watcher.ts";

const folder = mkdtempSync(join(tmpdir(), "host-kinds-"));
afterAll(() => rmSync(folder, { recursive: true }));

const depot = (version: 5 | 6): Promise<ProviderClient> =>
  openProvider([process.execPath, join(import.meta.dirname, "fixtures/streams-main.ts")], {
    launch: { name: "depot", protocolVersions: [version] },
  });

describePeer(["framework-provider"], "the client of a Go provider", ({ "framework-provider": peer }) => {
  async function open(options: Partial<OpenOptions> = {}): Promise<{ readonly fw: ProviderClient; readonly directory: string }> {
    const directory = mkdtempSync(join(folder, "records-"));
    return { fw: await openProvider(peer.path, { config: { directory }, ...options }), directory };
  }

  test("plans and invokes an action, and reports its progress", async ({ expect }) => {
    const { fw, directory } = await open();
    await using client = fw;
    const touch = client.action("framework_touch");
    const { state } = await client.resource("framework_record").create({ name: "touched" });
    const id = state["id"] as string;
    expect(await touch.plan({ id: unknownValue, times: 2 })).toEqual([]);
    const messages: string[] = [];
    expect(await touch.invoke({ id, times: 2 }, { onProgress: (message) => messages.push(message) })).toEqual([]);
    expect(messages).toEqual([`touched ${id}, 1 of 2`, `touched ${id}, 2 of 2`]);
    const events = await Array.fromAsync(touch.events({ id }));
    expect(events).toEqual([
      { kind: "progress", message: `touched ${id}, 1 of 1` },
      { kind: "completed", warnings: [] },
    ]);
    expect(JSON.parse(readFileSync(join(directory, `${id}.json`), "utf8"))).toMatchObject({ touched: 3 });
    await expect(touch.invoke({ id: "absent" })).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringMatching(/^invoke of framework_touch failed: Record Not Touched at id: /),
    });
    await expect(touch.invoke({ id: unknownValue })).rejects.toMatchObject({ code: "INVALID_CONFIG" });
    await expect(touch.plan({ times: 1 })).rejects.toMatchObject({ code: "INVALID_CONFIG", message: expect.stringContaining("at id") });
    expect(() => client.action("framework_tuch")).toThrow(expect.objectContaining({ code: "NOT_OFFERED" }));
  });

  test("renews an ephemeral resource on request, and not after it is closed", async ({ expect }) => {
    const { fw, directory } = await open();
    await using client = fw;
    {
      await using token = await client.ephemeral("framework_token", { name: "t", ttl_seconds: 3600 });
      const due = token.renewAt!.getTime();
      // The client's times have whole milliseconds.
      await sleep(2);
      await Promise.all([token.renew(), token.renew()]);
      expect(token.renewAt!.getTime()).toBeGreaterThan(due);
      await token.close();
      expect(token.renewAt).toBeUndefined();
      await token.renew();
    }
    const log = readFileSync(join(directory, "token-t.log"), "utf8").trim().split("\n");
    expect(log).toEqual(["opened", "renewed 1", "renewed 2", "closed after 2"]);
  });

  test("stops a change whose signal is aborted, with the provider's error, and can be used afterwards", async ({ expect }) => {
    const controller = new AbortController();
    const calls: string[] = [];
    const log = new LogWatcher();
    const { fw } = await open({
      onLog: log.onLog,
      logLevel: "trace",
      onProgress: (event) => void (event.kind === "calling" && calls.push(event.call.rpc)),
    });
    await using client = fw;
    const troubles = client.resource("framework_trouble");
    const slow = troubles.create({ name: "slow", mode: "slow", seconds: 600 }, { signal: controller.signal });
    void log.waitFor(isFrameworkCreate).then(() => controller.abort());
    const error = (await slow.catch((error: unknown) => error)) as PluginHostError;
    expect(error).toMatchObject({ code: "DIAGNOSTICS", message: expect.stringContaining("Creation Stopped: stopped") });
    expect(calls).toContain("StopProvider");
    const made = await troubles.create({ name: "next", mode: "none" });
    await troubles.delete(made);
  });

  test("moves a resource of another type, unless the provider rejects the type", async ({ expect }) => {
    const { fw } = await open();
    await using client = fw;
    const records = client.resource("framework_record");
    const trouble = await client.resource("framework_trouble").create({ name: "moving", mode: "none" });
    const json = JSON.parse(JSON.stringify(trouble)) as ReturnType<typeof trouble.toJSON>;
    const record = await records.move(json, { providerAddress: "registry.terraform.io/tenon/framework" });
    expect(record).toMatchObject({ typeName: "framework_record", state: { id: trouble.state["id"], name: "moving" }, status: "ready" });
    await records.delete(record);
    const rejected = records.move({ ...json, typeName: "other_resource" });
    await expect(rejected).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringMatching(/^move of framework_record failed/),
    });
  });

  test("cancels a change that does not end within the grace period", async ({ expect }) => {
    const { fw } = await open({ stopGraceMs: 0 });
    await using client = fw;
    const slow = { name: "slow", mode: "slow", seconds: 600 };
    const cancelled = client.resource("framework_trouble").create(slow, { signal: AbortSignal.timeout(500) });
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

describePeer(["sdkv2-provider"], "the client of a Go provider of protocol 5", ({ "sdkv2-provider": peer }) => {
  test("reports the tainted object of a stopped change", async ({ expect }) => {
    const controller = new AbortController();
    const log = new LogWatcher();
    await using client = await openProvider(peer.path, {
      config: { directory: mkdtempSync(join(folder, "servers-")), region: "eu" },
      onLog: log.onLog,
      logLevel: "trace",
    });
    const servers = client.resource("sdkv2_server");
    const slow = servers.create({ name: "slow", image: "slow" }, { signal: controller.signal });
    const isCreate = ({ message, fields }: LogRecord): boolean =>
      message === "Calling downstream" && fields["tf_rpc"] === "ApplyResourceChange";
    void log.waitFor(isCreate).then(() => controller.abort());
    const error = (await slow.catch((error: unknown) => error)) as PluginHostError;
    expect(error).toMatchObject({ code: "DIAGNOSTICS", remaining: { status: "tainted", state: { id: "server-slow" } } });
    expect(error.message).toContain("context canceled");
  });
});

describe.each([5, 6] as const)("the client of a Tenon provider over protocol %i", (version) => {
  test("cancels an action when the loop ends, and rejects an invoke whose plan is rejected", async ({ expect }) => {
    await using client = await depot(version);
    const move = client.action("depot_move");
    const seen: string[] = [];
    for await (const event of move.events({ to: "far" })) {
      seen.push(event.kind);
      break;
    }
    expect(seen).toEqual(["progress"]);
    await expect(move.plan({ to: "nowhere" })).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining("no such place"),
    });
    await expect(move.invoke({ to: "nowhere" })).rejects.toMatchObject({ code: "DIAGNOSTICS" });
    await expect(move.invoke({ to: "here", key: "0" })).rejects.toMatchObject({ message: expect.stringContaining("the gate stays shut") });
    expect(await move.invoke({ to: "here", key: "1234" })).toEqual([]);
  });
});

test("generateConfig returns a configuration whose plan for the resource is empty", async ({ expect }) => {
  await using client = await depot(6);
  const crates = client.resource("depot_crate");
  const crate = await crates.create({ id: "c" });
  const config = await crates.generateConfig(crate);
  expect(config).toEqual({ id: "c", weight: null });
  expect((await crates.plan(config, { prior: crate })).action).toBe("noOp");
});

test("a state store writes, reads, locks and deletes states", async ({ expect }) => {
  await using client = await depot(6);
  const shed = await client.stateStore("depot_shed", { name: "S" });
  expect(await shed.list()).toEqual([]);
  expect(await shed.read("default")).toBeUndefined();
  for (const length of [1, 999, 1_000, 1_001, 4_321]) {
    const state = Uint8Array.from({ length }, (_, index) => index % 251);
    await shed.write("default", state);
    expect(Buffer.compare((await shed.read("default"))!, state), `${length} bytes`).toBe(0);
  }
  {
    await using lock = await shed.lock("default", "plan");
    expect(lock.lockId).toBe("key-1");
    await expect(shed.lock("default", "apply")).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining('lock of state "default" of depot_shed failed'),
    });
  }
  await (await shed.lock("default", "apply")).release();
  await expect(shed.write("default", new Uint8Array())).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  expect(await shed.list()).toEqual(["default"]);
  await shed.delete("default");
  expect(await shed.list()).toEqual([]);
  expect(inspect(shed, { depth: 9 })).not.toContain("251");
  await using old = await depot(5);
  expect(() => old.action("depot_shed")).toThrow(expect.objectContaining({ code: "NOT_OFFERED" }));
  await expect(old.stateStore("depot_shed", {})).rejects.toMatchObject({ code: "NOT_OFFERED" });
});
