// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider, type PluginHostError, providerFactory, type ProviderClient } from "@tenon/plugin-host";
import { afterAll, test } from "vitest";

describePeer(["framework-provider"], "the client of a Go provider of protocol 6", ({ "framework-provider": peer }) => {
  const folder = mkdtempSync(join(tmpdir(), "host-client-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const factory = providerFactory({ command: peer.path });

  async function open(warnings?: string[]): Promise<{ readonly client: ProviderClient; readonly directory: string }> {
    const directory = mkdtempSync(join(folder, "records-"));
    const client = await openProvider(factory, {
      config: { directory },
      onWarning: ({ summary }, subject) => void warnings?.push(`${subject}: ${summary}`),
    });
    return { client, directory };
  }

  test("creates, changes, stores, imports and deletes a resource, and hides sensitive values in printed objects", async ({ expect }) => {
    const { client, directory } = await open();
    await using fw = client;
    const records = fw.resource("framework_record");
    const config = {
      name: "first",
      precise: 12345678901234567890n,
      tags: ["a", "b"],
      labels: ["x", "y"],
      notes: { k: "v" },
      anything: { deep: [1, "two"] },
      secret: "hunter2",
      password: "hunter3",
      items: [{ key: "i" }],
      members: [{ key: "m", value: "1" }],
      rule: [{ port: 80, match: [{ pattern: "*" }] }],
      access: [{ role: "admin", write: true }],
    };
    const made = await records.create(config);
    expect(made.state).toMatchObject({
      name: "first",
      precise: 12345678901234567890n,
      labels: ["x", "y"],
      anything: { deep: [1, "two"] },
      secret: "hunter2",
      password: null,
      members: [{ key: "m", value: "1" }],
      rule: [{ port: 80, match: [{ pattern: "*" }] }],
    });
    expect(made.identity).toMatchObject({ id: made.state["id"] });
    for (const printed of [inspect(made), inspect(made.state), inspect({ deep: { made } }, { depth: 9 })]) {
      expect(printed).toContain("first");
      expect(printed).not.toContain("hunter2");
    }
    const plan = await records.plan({ ...config, secret: "hunter4" }, { prior: made });
    expect(plan.action).toBe("update");
    expect(inspect(plan)).toContain("(sensitive value)");
    expect(inspect(plan) + inspect(plan.after)).not.toContain("hunter");

    const kept = JSON.stringify(made);
    await using other = await openProvider(factory, { config: { directory } });
    const loaded = await other.resource("framework_record").fromJson(JSON.parse(kept) as ReturnType<typeof made.toJSON>);
    expect(loaded.identity).toEqual(made.identity);
    const changed = await other.resource("framework_record").update(loaded, { ...config, tags: ["c"] });
    expect(changed.state).toMatchObject({ revision: 2, tags: ["c"] });
    expect((await records.read(made))?.state).toMatchObject({ revision: 2 });
    expect((await records.import({ identity: { id: made.state["id"] } })).state).toMatchObject({ name: "first", revision: 2 });
    expect(await fw.data("framework_lookup", { id: made.state["id"] })).toMatchObject({ name: "first", revision: 2 });

    await records.delete(changed);
    expect(readdirSync(directory)).toEqual([]);
    expect(await records.read(made)).toBeUndefined();
  });

  test("upgrades a stored object of an older schema version", async ({ expect }) => {
    const { client } = await open();
    await using fw = client;
    const old = {
      typeName: "framework_record",
      schemaVersion: 0,
      value: JSON.stringify({ id: "plain-0", title: "old", size: "3" }),
      private: "",
      status: "ready" as const,
    };
    const handle = await fw.resource("framework_record").fromJson(old);
    expect(handle.state).toMatchObject({ name: "old", size: 3 });
  });

  test("reports the tainted object of a failed create", async ({ expect }) => {
    const { client } = await open();
    await using fw = client;
    const troubles = fw.resource("framework_trouble");
    const error = (await troubles.create({ name: "half", mode: "half" }).catch((error: unknown) => error)) as PluginHostError;
    expect(error).toMatchObject({ code: "DIAGNOSTICS", remaining: { typeName: "framework_trouble", status: "tainted" } });
    expect(error.message).toContain("`remaining`");
    expect((await troubles.plan({ name: "half", mode: "none" }, { prior: error.remaining })).reason).toBe("tainted");
    await troubles.delete(error.remaining!);
  });

  test("reports warnings in the handle and to the listener", async ({ expect }) => {
    const warnings: string[] = [];
    const { client } = await open(warnings);
    await using fw = client;
    const made = await fw.resource("framework_trouble").create({ name: "warn", mode: "warn" }, { address: "framework_trouble.w" });
    expect(made.warnings).toMatchObject([{ severity: "warning" }]);
    expect(warnings).toEqual([expect.stringMatching(/^create of framework_trouble\.w: /)]);
  });

  test("names the failed operation in its error", async ({ expect }) => {
    const { client } = await open();
    await using fw = client;
    const plan = await fw.resource("framework_trouble").plan({ name: "no", mode: "error" });
    await expect(plan.apply()).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringMatching(/^apply of framework_trouble failed: /),
    });
  });

  test("sends provider_meta of the client, or of the operation if it has one", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "meta-"));
    await using fw = await openProvider(peer.path, { config: { directory }, providerMeta: { module: "root" } });
    const records = fw.resource("framework_record");
    const saved = (id: unknown): unknown => JSON.parse(readFileSync(join(directory, `${String(id)}.json`), "utf8"));
    const made = await records.create({ name: "one" });
    expect(saved(made.state["id"])).toMatchObject({ module: "root" });
    const other = await records.create({ name: "two" }, { providerMeta: { module: "child" } });
    expect(saved(other.state["id"])).toMatchObject({ module: "child" });
    await expect(records.create({ name: "three" }, { providerMeta: { modul: "x" } })).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  test("has its own configuration when several are open", async ({ expect }) => {
    const [one, two] = [await open(), await open()];
    await using a = one.client;
    await using b = two.client;
    await Promise.all([a.resource("framework_record").create({ name: "in a" }), b.resource("framework_record").create({ name: "in b" })]);
    expect([readdirSync(one.directory).length, readdirSync(two.directory).length]).toEqual([1, 1]);
    expect(readdirSync(one.directory)).not.toEqual(readdirSync(two.directory));
  });

  test("is not opened with an invalid configuration", async ({ expect }) => {
    await expect(openProvider(factory, { config: { directory: folder, token: "wrong" } })).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining("configuration of terraform-provider-framework failed: Invalid Token at token"),
    });
    await expect(openProvider(factory)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: "configuration of terraform-provider-framework at directory: is required",
    });
  });

  test("calls functions", async ({ expect }) => {
    const { client } = await open();
    await using fw = client;
    expect(await fw.function("join", "-", "a", "b", "c")).toBe("a-b-c");
    expect(await fw.function("dynamic", { any: [1, true, null] })).toBeDefined();
    await expect(fw.function("fail", "no", 1)).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining("argument 2"),
    });
    await expect(fw.function("join", null)).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  });

  test("opens and closes an ephemeral resource", async ({ expect }) => {
    const { client, directory } = await open();
    await using fw = client;
    {
      await using token = await fw.ephemeral("framework_token", { name: "t" });
      expect(token.state).toMatchObject({ name: "t" });
      expect(inspect(token)).toBe("framework_token (ephemeral value)");
    }
    expect(readdirSync(directory)).toContain("token-t.log");
  });

  test("lists resources, with or without their states", async ({ expect }) => {
    const { client } = await open();
    await using fw = client;
    const records = fw.resource("framework_record");
    for (const name of ["one", "two", "three"]) await records.create({ name, secret: `secret of ${name}` });
    const found = await Array.fromAsync(fw.list("framework_record", {}, { includeState: true }));
    expect(new Set(found.map(({ state }) => state?.["name"]))).toEqual(new Set(["one", "two", "three"]));
    expect(inspect(found, { depth: 9 })).not.toContain("secret of");
    const [first] = await Array.fromAsync(fw.list("framework_record", { kind: "plain" }, { limit: 1 }));
    expect(first).toMatchObject({ state: undefined, displayName: expect.any(String) });
    const imported = await records.import({ identity: first!.identity! });
    expect(imported.state["id"]).toBe(first!.identity!["id"]);
  });
});
