// SPDX-License-Identifier: Apache-2.0
// What the engine does with every provider: refreshes with an inverted difference, replacements in both orders, imports, invokes and lists.
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { bundledPlugin } from "./pulumi-bundle.ts";
import { type EngineResource, type Properties, PulumiEngine } from "./pulumi-engine.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-matrix-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const plugin = await bundledPlugin();

/** Executable file that runs the notebook provider from its sources. */
const notebook = join(folder, "terraform-provider-notebook");
writeFileSync(
  notebook,
  `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, "../../apps/examples/notebook/src/main.ts")}"\n`,
);
chmodSync(notebook, 0o755);

interface Row {
  readonly peer: "provider-time" | "framework-provider" | "sdkv2-provider" | undefined;
  readonly config: Properties;
  readonly type: string;
  readonly inputs: Properties;
  /** Inputs that replace the resource, with the properties that do. */
  readonly replacing: Properties;
  readonly replaces: readonly string[];
  /** Whether the old resource is deleted first: it has a name that the new one would have, too. */
  readonly deletesFirst: boolean;
  /** A change that somebody else makes, with the difference of a refresh; undefined where nothing exists outside of the state. */
  readonly drift?: { readonly change: Properties; readonly difference: Properties };
  /** Inputs of the imported resource. */
  readonly imported: Properties;
  readonly invoke: readonly [token: string, args: Properties, result: Properties];
  readonly lists: boolean;
}

const rows: Readonly<Record<string, Row>> = {
  time: {
    peer: "provider-time",
    config: {},
    type: "time:index/static:Static",
    inputs: { rfc3339: "2026-01-02T03:04:05Z", triggers: { a: "1" } },
    replacing: { rfc3339: "2026-01-02T03:04:05Z", triggers: { a: "2" } },
    replaces: ["triggers"],
    deletesFirst: false,
    imported: { rfc3339: "2026-01-02T03:04:05Z", triggers: {} },
    invoke: ["time:index/durationParse:durationParse", { duration: "90s" }, { minutes: 1.5 }],
    lists: false,
  },
  framework: {
    peer: "framework-provider",
    config: { directory: join(folder, "framework") },
    type: "framework:index/record:Record",
    inputs: { name: "first", kind: "plain", tags: ["a"], ratio: 0.1 },
    replacing: { name: "first", kind: "other", tags: ["a"], ratio: 0.1 },
    replaces: ["kind"],
    deletesFirst: true,
    drift: { change: { tags: ["b", "c"] }, difference: { "tags[0]": "update", "tags[1]": "delete" } },
    imported: { name: "first", kind: "plain", tags: ["a"], ratio: 0.1 },
    invoke: ["framework:index/join:join", { separator: "-", parts: ["a", "b"] }, { result: "a-b" }],
    lists: true,
  },
  sdkv2: {
    peer: "sdkv2-provider",
    config: { directory: join(folder, "sdkv2"), endpoint: { url: "https://e" } },
    type: "sdkv2:index/server:Server",
    inputs: { name: "web", image: "linux", cores: 4 },
    replacing: { name: "web", image: "bsd", cores: 4 },
    replaces: ["image"],
    deletesFirst: true,
    drift: { change: { cores: 8 }, difference: { cores: "update" } },
    imported: { name: "web", image: "linux", cores: 4 },
    invoke: ["sdkv2:index/getServers:getServers", {}, { ids: [] }],
    lists: false,
  },
  notebook: {
    peer: undefined,
    config: { path: join(folder, "notebook.db") },
    type: "notebook:index/note:Note",
    inputs: { title: "one", tags: { a: "1" } },
    replacing: { title: "one", folder: "outbox", tags: { a: "1" } },
    replaces: ["folder"],
    deletesFirst: false,
    drift: { change: { title: "two", body: "text" }, difference: { title: "update" } },
    imported: { title: "one", tags: { a: "1" } },
    invoke: ["notebook:index/slug:slug", { title: "One Two" }, { result: "one-two" }],
    lists: false,
  },
};

for (const [name, row] of Object.entries(rows)) {
  const { peer, config, type, inputs } = row;
  describePeer(["pulumi-engine", ...(peer ? [peer] : [])], `the engine's client over ${name}`, (peers) => {
    let engine: PulumiEngine;
    beforeAll(async () => {
      engine = await PulumiEngine.start(peers["pulumi-engine"].path, plugin);
      await engine.configured([peer ? peers[peer].path : notebook], config);
    });
    afterAll(async () => await engine[Symbol.asyncDispose]());
    const urn = `urn:pulumi:dev::project::${type}::first`;

    test("refreshes, and compares what it found with the old inputs", async ({ expect }) => {
      const created = await engine.created(urn, inputs);
      const unchanged = (await engine.read(urn, created)) as EngineResource;
      expect(unchanged).toMatchObject({ id: created.id, inputs: created.inputs });
      expect(await engine.diffed(urn, unchanged, created.inputs)).toMatchObject({ changes: 1, detailed: {} });
      if (row.drift) {
        const changed = await engine.updated(urn, created, { ...inputs, ...row.drift.change });
        const found = (await engine.read(urn, created)) as EngineResource;
        expect(found.outputs).toMatchObject(row.drift.change);
        // The engine shows what an update would change back.
        const difference = await engine.diffed(urn, found, created.inputs);
        expect(difference).toMatchObject({ changes: 2, detailed: row.drift.difference });
        expect(await engine.updated(urn, found, created.inputs)).toMatchObject({ inputs: created.inputs });
        expect(changed.id).toBe(created.id);
      }
      await engine.deleted(urn, created);
    });

    test("replaces by creating first and by deleting first", async ({ expect }) => {
      for (const order of ["createFirst", "deleteFirst"] as const) {
        const old = await engine.created(urn, inputs);
        const difference = await engine.diffed(urn, old, row.replacing);
        expect(difference).toMatchObject({ changes: 2, replaces: row.replaces, deleteBeforeReplace: row.deletesFirst });
        expect(Object.values(difference.detailed).some((kind) => kind.endsWith("-replace"))).toBe(true);
        if (order === "deleteFirst") await engine.deleted(urn, old);
        const created = await engine.created(urn, row.replacing);
        if (order === "createFirst" && created.id !== old.id) await engine.deleted(urn, old);
        expect(await engine.diffed(urn, created, row.replacing)).toMatchObject({ changes: 1, detailed: {} });
        await engine.deleted(urn, created);
      }
    });

    test("imports what exists, and not what does not", async ({ expect }) => {
      const created = await engine.created(urn, inputs);
      const found = await engine.call<EngineResource>("read", { urn, id: created.id });
      expect(found.id).toBe(created.id);
      expect(found.inputs).toMatchObject(row.imported);
      expect(await engine.diffed(urn, found, found.inputs)).toMatchObject({ changes: 1 });
      await engine.deleted(urn, created);
      if (row.drift === undefined) return;
      const { ok } = await engine.answer<Partial<EngineResource>>("read", { urn, id: created.id });
      expect(ok?.outputs ?? null).toBeNull();
      const refreshed = await engine.read(urn, created);
      expect([refreshed.id ?? "", refreshed.outputs ?? null]).toEqual(["", null]);
    });

    test("invokes, and lists where the provider does", async ({ expect }) => {
      const [token, args, result] = row.invoke;
      expect(await engine.call("invoke", { token, args })).toMatchObject({ result, failures: {} });
      const created = await engine.created(urn, inputs);
      const { ok, error } = await engine.answer<{ readonly found: readonly { readonly id: string }[] }>("list", {
        token: type,
        pageSize: 10,
      });
      if (row.lists) expect(ok?.found.map(({ id }) => id)).toContain(created.id);
      else expect(error?.message).toContain("cannot list resources");
      await engine.deleted(urn, created);
    });
  });
}

describePeer(
  ["pulumi-engine", "provider-time"],
  "the engine's client over a resource whose attribute `id` changes",
  ({ "pulumi-engine": client, "provider-time": time }) => {
    test("keeps the ID that the engine knows", async ({ expect }) => {
      await using engine = await PulumiEngine.start(client.path, plugin);
      await engine.configured([time.path], {});
      const urn = "urn:pulumi:dev::project::time:index/offset:Offset::first";
      const created = await engine.created(urn, { baseRfc3339: "2026-01-02T03:04:05Z", offsetDays: 1 });
      const updated = await engine.updated(urn, created, { baseRfc3339: "2026-01-02T03:04:05Z", offsetDays: 2 });
      expect(updated.outputs["rfc3339"]).toBe("2026-01-04T03:04:05Z");
      expect(await engine.read(urn, updated)).toMatchObject({ id: created.id, outputs: { rfc3339: "2026-01-04T03:04:05Z" } });
    });
  },
);

describePeer(["pulumi-engine"], "the engine's client over a provider that is not configured", ({ "pulumi-engine": client }) => {
  test("learns which settings are missing", async ({ expect }) => {
    await using engine = await PulumiEngine.start(client.path, plugin);
    await engine.call("parameterizeArgs", [notebook]);
    await engine.call("configure", { urn: "urn:pulumi:dev::project::pulumi:providers:notebook::default", inputs: {} });
    // The engine reports an error of Configure with the next call.
    const urn = "urn:pulumi:dev::project::notebook:index/note:Note::first";
    const { error } = await engine.answer("create", { urn, inputs: { title: "one" } });
    expect(error?.message).toContain('missing required configuration key "notebook:path"');
    expect(error?.message).toContain("pulumi config set notebook:path");
  });
});
