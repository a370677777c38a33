// SPDX-License-Identifier: Apache-2.0
// The plugin under the engine's own client: each provider's resources through their lives.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, type ExpectStatic, test } from "vitest";
import { bundledPlugin } from "./pulumi-bundle.ts";
import { type EngineDiff, type Properties, PulumiEngine } from "./pulumi-engine.ts";

const secret = (value: unknown): object => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value });
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urn = (type: string, name: string): string => `urn:pulumi:dev::project::${type}::${name}`;

function expectUnchanged(expect: ExpectStatic, diff: EngineDiff): void {
  expect(diff).toMatchObject({ changes: 1, detailed: {} });
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-engine-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const plugin = await bundledPlugin();

describePeer(["pulumi-engine", "provider-time"], "the engine's client over a provider of protocol 5", (peers) => {
  let engine: PulumiEngine;
  beforeAll(async () => {
    engine = await PulumiEngine.start(peers["pulumi-engine"].path, plugin);
    await engine.configured([peers["provider-time"].path], { version: "1.0.0" });
  });
  afterAll(async () => await engine[Symbol.asyncDispose]());
  const type = "time:index/static:Static";

  test("leads a resource through its life", async ({ expect }) => {
    const name = urn(type, "release");
    const inputs = { rfc3339: "2026-01-02T03:04:05Z", triggers: { release: "1" } };
    const created = await engine.created(name, inputs);
    expect(created).toMatchObject({ id: "2026-01-02T03:04:05Z", outputs: { unix: 1767323045, triggers: { release: "1" } } });
    expectUnchanged(expect, await engine.diffed(name, created, inputs));
    const replaced = await engine.diffed(name, created, { ...inputs, triggers: { other: "2" } });
    expect(replaced).toMatchObject({
      changes: 2,
      replaces: ["triggers"],
      detailed: { "triggers.release": "delete-replace", "triggers.other": "add-replace" },
    });
    expectUnchanged(expect, await engine.diffed(name, created, { ...inputs, triggers: { release: "2" } }, ["triggers"]));
    expect(await engine.read(name, created)).toMatchObject({ id: created.id, inputs, outputs: { year: 2026 } });
    const imported = await engine.call("read", { urn: name, id: "2026-01-02T03:04:05Z" });
    expect(imported).toMatchObject({ inputs: { rfc3339: "2026-01-02T03:04:05Z" }, outputs: { year: 2026 } });
    await engine.deleted(name, created);
  });

  test("previews unknown values, and checks inputs", async ({ expect }) => {
    const name = urn("time:index/offset:Offset", "later");
    const checked = await engine.call("check", { urn: name, inputs: { baseRfc3339: unknownText, offsetDays: 7 } });
    expect(checked).toMatchObject({ failures: {}, inputs: { baseRfc3339: unknownText } });
    const preview = await engine.call<{ outputs: Properties }>("create", {
      urn: name,
      inputs: { ...(checked["inputs"] as object) },
      preview: true,
    });
    expect(preview.outputs).toMatchObject({ rfc3339: unknownText, offsetDays: 7 });
    const wrong = await engine.call<{ failures: Properties }>("check", { urn: name, inputs: { offsetDays: "x", nonsense: 1 } });
    expect(Object.keys(wrong.failures).toSorted()).toEqual(["nonsense", "offsetDays"]);
  });

  test("calls functions, and says which argument is wrong", async ({ expect }) => {
    const parse = (duration: string): Promise<Properties> =>
      engine.call("invoke", { token: "time:index/durationParse:durationParse", args: { duration } });
    expect(await parse("1h30m")).toMatchObject({ result: { hours: 1.5, minutes: 90 }, failures: {} });
    expect(Object.keys((await parse("nonsense"))["failures"] as object)).toEqual(["duration"]);
  });

  test("rejects calls that name nothing", async ({ expect }) => {
    const { error } = await engine.answer("check", { urn: urn("time:index/none:None", "x"), inputs: {} });
    expect(error?.message).toContain('no resource type "time:index/none:None"');
    const { error: second } = await engine.answer("parameterizeArgs", [peers["provider-time"].path]);
    expect(second?.message).toContain("a session has one provider");
  });
});

describePeer(["pulumi-engine", "framework-provider"], "the engine's client over a provider of protocol 6", (peers) => {
  const directory = join(folder, "records");
  let engine: PulumiEngine;
  beforeAll(async () => {
    engine = await PulumiEngine.start(peers["pulumi-engine"].path, plugin);
    await engine.configured([peers["framework-provider"].path], { directory, token: secret("right"), options: '{"prefix":"p-"}' });
  });
  afterAll(async () => await engine[Symbol.asyncDispose]());
  const type = "framework:index/record:Record";
  const inputs = {
    name: "first",
    kind: "plain",
    ratio: 0.5,
    tags: ["a", secret("b")],
    labels: ["x", "y"],
    notes: { "k.1": "v" },
    origin: { host: "h" },
    anything: { deep: [1, "two"] },
    secret: "hunter2",
    password: secret("hunter3"),
    passwordVersion: 1,
    single: { key: "s" },
    items: [{ key: "i" }],
    entries: { e: { key: "e" } },
    members: [{ key: "m", value: "1" }],
    rules: [{ port: 80, matches: [{ pattern: "*" }] }],
    accesses: [{ role: "admin", write: true }],
    limits: { cpu: 1.5 },
  };

  test("leads a resource of every kind of attribute through its life", async ({ expect }) => {
    const name = urn(type, "first");
    const created = await engine.created(name, inputs);
    expect(created.outputs).toMatchObject({
      name: "first",
      flag: false,
      tags: ["a", secret("b")],
      anything: { deep: [1, "two"] },
      secret: secret("hunter2"),
      items: [{ key: "i", value: "none" }],
      rules: [{ port: 80, matches: [{ pattern: "*" }] }],
      accesses: [{ role: "admin", write: true }],
      password: null,
      revision: 1,
    });
    const [file = ""] = readdirSync(directory);
    expect(file).toMatch(/^p-plain-/);
    expectUnchanged(expect, await engine.diffed(name, created, inputs));

    const changes: readonly (readonly [change: Properties, detailed: Properties])[] = [
      [{ name: "second" }, { name: "update" }],
      [{ tags: ["a", "b", "c"] }, { "tags[2]": "add" }],
      [{ labels: ["y"] }, { "labels[0]": "delete" }],
      [{ notes: { "k.1": "w", n: "x" } }, { 'notes["k.1"]': "update", "notes.n": "add" }],
      [
        { ratio: undefined, limits: { cpu: 2 } },
        { ratio: "delete", "limits.cpu": "update" },
      ],
      [{ items: [{ key: "j" }, { key: "k" }] }, { "items[0].key": "update", "items[1]": "add" }],
      [{ members: [{ key: "m", value: "2" }] }, { "members[0].value": "update" }],
      [{ rules: [{ port: 80, matches: [] }] }, { "rules[0].matches": "delete" }],
      [{ accesses: [{ role: "admin", write: true }, { role: "user" }] }, { "accesses[1]": "add" }],
      [{ name: unknownText }, { name: "update" }],
      [{ secret: secret("hunter4") }, { secret: "update" }],
      [{ kind: "other" }, { kind: "update-replace" }],
    ];
    for (const [change, detailed] of changes) {
      const diff = await engine.diffed(name, created, { ...inputs, ...change });
      expect(diff.detailed, JSON.stringify(change)).toEqual(detailed);
      expect(diff.replaces ?? []).toEqual(Object.values(detailed).includes("update-replace") ? ["kind"] : []);
    }

    const updated = await engine.updated(name, created, { ...inputs, name: "second", tags: ["c"] });
    expect(updated.outputs).toMatchObject({ id: created.id, name: "second", tags: ["c"], revision: 2 });
    expect(readFileSync(join(directory, file), "utf8")).toContain("second");

    const refreshed = await engine.read(name, updated);
    expect(refreshed.inputs).toMatchObject({ name: "second", password: secret("hunter3") });
    const imported = await engine.call<{ inputs: Properties }>("read", { urn: name, id: created.id });
    expect(imported.inputs).toMatchObject({ name: "second", kind: "plain", items: [{ key: "i" }] });
    await engine.deleted(name, updated);
    expect(readdirSync(directory)).toEqual([]);
    expect((await engine.read(name, updated)).outputs ?? null).toBeNull();
  });

  test("stores no write-only value, and shows warnings of the provider with the resource", async ({ expect }) => {
    const name = urn(type, "flagged");
    const created = await engine.created(name, { name: "flagged", flag: true, oldName: "o", password: "hunter3", secret: "hunter2" });
    expect(JSON.stringify(created.outputs)).not.toContain("hunter3");
    await engine.deleted(name, created);
    expect(engine.messages.filter(({ severity }) => severity === "warning")).toContainEqual(
      expect.objectContaining({ urn: name, text: expect.stringMatching(/deprecat/i) as string }),
    );
    expect(engine.messages.map(({ text }) => text).join("\n")).not.toMatch(/hunter[23]/);
  });

  test("keeps values that outputs do not hold", async ({ expect }) => {
    const name = urn(type, "exact");
    const exact = { name: "exact", precise: "12345678901234567890.123", anything: { list: [], object: { a: [1, "b"] } } };
    const created = await engine.created(name, exact);
    expect(created.outputs["precise"]).toBe(12345678901234567000);
    expectUnchanged(expect, await engine.diffed(name, created, exact));
    expect((await engine.diffed(name, created, { ...exact, precise: "12345678901234567890.124" })).detailed).toEqual({ precise: "update" });
    await engine.deleted(name, created);
  });

  test("keeps what a failed creation has created, and replaces it", async ({ expect }) => {
    const name = urn("framework:index/trouble:Trouble", "half");
    const { inputs: checked } = await engine.call("check", { urn: name, inputs: { name: "half", mode: "half" } });
    const { ok, error } = await engine.answer<{ id: string; outputs: Properties; status: number }>("create", {
      urn: name,
      inputs: checked,
    });
    expect(error?.initReasons).toHaveLength(1);
    expect(ok).toMatchObject({ status: 1, outputs: { name: "half" } });
    const half = { id: ok!.id, inputs: checked as Properties, outputs: ok!.outputs };
    expect(half.id).not.toBe("");
    const diff = await engine.diffed(name, half, { name: "half", mode: "none" });
    expect(diff.replaces).not.toEqual([]);
    await engine.deleted(name, half);

    const { error: refused } = await engine.answer("create", { urn: name, inputs: { name: "no", mode: "error" } });
    expect(refused?.initReasons).toBeUndefined();
    expect(refused?.message).toBeTruthy();
  });

  test("reads data sources, opens ephemeral resources, calls functions and lists resources", async ({ expect }) => {
    const records = await Promise.all(["a", "b", "c"].map((name) => engine.created(urn(type, name), { name, kind: "listed" })));
    const invoke = (token: string, args: Properties): Promise<Properties> =>
      engine.call("invoke", { token: `framework:index/${token}:${token}`, args });
    expect(await invoke("getLookup", { id: records[0]!.id })).toMatchObject({ failures: {}, result: { name: "a" } });
    expect(Object.keys((await invoke("getLookup", {}))["failures"] as object)).toEqual(["id"]);
    expect(JSON.stringify((await invoke("openToken", { name: "t" }))["result"])).toContain("1b47061264138c4ac30d75fd1eb44270");
    expect(await invoke("join", { separator: "-", parts: ["a", "b"] })).toMatchObject({ result: { result: "a-b" } });
    expect(Object.keys((await invoke("fail", { text: "x" }))["failures"] as object)).toHaveLength(1);

    type Page = { readonly found: readonly { readonly id: string }[]; readonly continuation: string };
    const first = await engine.call<Page>("list", { token: type, pageSize: 2 });
    expect(first.found).toHaveLength(2);
    const rest = await engine.call<Page>("list", { token: type, pageSize: 2, continuation: first.continuation });
    const ids = [...first.found, ...rest.found].map(({ id }) => id);
    expect(ids.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    const [id] = ids;
    expect(await engine.call("read", { urn: urn(type, "listed"), id })).toMatchObject({ id });
  });

  test("stops a change when the engine cancels", async ({ expect }) => {
    await using other = await PulumiEngine.start(peers["pulumi-engine"].path, plugin);
    await other.configured([peers["framework-provider"].path], { directory: join(folder, "cancelled") });
    const name = urn("framework:index/trouble:Trouble", "hang");
    const creating = other.answer("create", { urn: name, inputs: { name: "hang", mode: "hang" } });
    // The plugin handles calls in order of arrival: the creation has begun before this response.
    await other.call("getPluginInfo");
    await other.call("cancel");
    expect((await creating).error?.message).toBeTruthy();
  });
});

describePeer(["pulumi-engine", "sdkv2-provider"], "the engine's client over a provider of the legacy SDK", (peers) => {
  let engine: PulumiEngine;
  beforeAll(async () => {
    engine = await PulumiEngine.start(peers["pulumi-engine"].path, plugin);
    await engine.configured([peers["sdkv2-provider"].path], { directory: join(folder, "servers"), endpoint: { url: "https://e" } });
  });
  afterAll(async () => await engine[Symbol.asyncDispose]());
  const type = "sdkv2:index/server:Server";

  test("leads a resource with blocks and time limits through its life", async ({ expect }) => {
    const name = urn(type, "web");
    const inputs = {
      name: "Web",
      image: "linux",
      cores: 4,
      password: "hunter2",
      groups: ["y", "x"],
      labels: { k: "v" },
      disks: [{ gigabytes: 10, mounts: [{ path: "/b" }, { path: "/a", readonly: true }] }],
      rules: [{ port: 80 }, { port: 53, protocol: "udp" }],
      contact: { mail: "a@b" },
    };
    const created = await engine.created(name, inputs);
    expect(created).toMatchObject({ id: "server-web", outputs: { contact: { mail: "a@b" }, password: secret("hunter2") } });
    expectUnchanged(expect, await engine.diffed(name, created, inputs));
    // The provider ignores the case of names.
    expectUnchanged(expect, await engine.diffed(name, created, { ...inputs, name: "WEB" }));
    const smaller = await engine.diffed(name, created, { ...inputs, image: "bsd" });
    expect(smaller).toMatchObject({ replaces: ["image"], detailed: { image: "update-replace" }, deleteBeforeReplace: true });
    const updated = await engine.updated(name, created, { ...inputs, cores: 8, contact: undefined });
    expect(updated.outputs).toMatchObject({ cores: 8, contact: null });
    expectUnchanged(expect, await engine.diffed(name, updated, { ...inputs, cores: 8, contact: undefined }));
    expect(await engine.read(name, updated)).toMatchObject({ id: "server-web", inputs: { cores: 8 } });
    expect(await engine.call("read", { urn: name, id: "server-web" })).toMatchObject({ inputs: { name: "Web" } });
    await engine.deleted(name, updated);
  });

  test("upgrades the state of an older version of the provider", async ({ expect }) => {
    const name = urn(type, "old");
    const created = await engine.created(name, { name: "Old", image: "linux", cores: 4 });
    const older = { id: created.id, title: "Old", image: "linux", cores: "4", __meta: '{"schema_version":"0"}' };
    const resource = { ...created, outputs: older };
    expect(await engine.read(name, resource)).toMatchObject({ outputs: { name: "Old", cores: 4 } });
    await engine.deleted(name, resource);
    const newer = await engine.answer("read", { urn: name, id: created.id, oldOutputs: { ...older, __meta: '{"schema_version":"99"}' } });
    expect(newer.error?.message).toContain("newer provider version");
  });

  test("fills the timeouts block from the engine's time limit", async ({ expect }) => {
    const name = urn(type, "timed");
    const { outputs } = await engine.call<{ id: string; outputs: Properties }>("create", {
      urn: name,
      inputs: { name: "timed", image: "linux" },
      timeout: 90,
    });
    expect(outputs["timeouts"]).toMatchObject({ create: "90s" });
    const created = { id: "server-timed", inputs: { name: "timed", image: "linux" }, outputs };
    expectUnchanged(expect, await engine.diffed(name, created, created.inputs));
    await engine.deleted(name, created);
  });
});
