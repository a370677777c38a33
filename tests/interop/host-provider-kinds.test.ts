// SPDX-License-Identifier: Apache-2.0
// Our host calls the parts of a provider of protocol 6 other than resources, data sources and functions: actions, lists, ephemeral
// resources, identities, moves; complete and cancelled streams; components that the provider does not have.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nullOf, string, toJs, unknown, type Value } from "@tenon/cty";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LaunchedProvider, openProvider } from "@tenon/plugin-host";
import type { InvokeActionEvent, Schema } from "@tenon/schema";
import { moveObject, resourceType } from "@tenon/schema/lifecycle";
import { afterAll, test } from "vitest";
import { apply, configuration, summaries } from "./go-provider.ts";

describePeer(["framework-provider"], "a Go provider of protocol 6", ({ "framework-provider": peer }) => {
  const folder = mkdtempSync(join(tmpdir(), "host-kinds-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const actionType = "framework_touch";

  async function configured(): Promise<{ readonly opened: LaunchedProvider; readonly directory: string }> {
    const directory = mkdtempSync(join(folder, "records-"));
    const provider = await launchProvider({ command: peer.path });
    const { provider: schema } = await provider.getProviderSchema({});
    await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { directory }) });
    return { opened: provider, directory };
  }

  /** Creates records with these names, and returns their ids. */
  async function records(provider: LaunchedProvider, ...names: readonly string[]): Promise<readonly string[]> {
    const type = await resourceType(provider, "framework_record");
    const made = await Promise.all(names.map((name) => apply(type, configuration(type.schema, { name }))));
    return made.map(({ value }) => (toJs(value) as { readonly id: string }).id);
  }

  async function touching(provider: LaunchedProvider, attributes: Readonly<Record<string, unknown>>): Promise<Value> {
    const { actions } = await provider.getProviderSchema({});
    return configuration(actions.get(actionType)!, attributes);
  }

  test("invokes an action, and reports its progress", async ({ expect }) => {
    const { opened, directory } = await configured();
    await using provider = opened;
    const [id = ""] = await records(provider, "touched");
    const config = await touching(provider, { id, times: 3 });
    expect((await provider.validateActionConfig({ actionType, config })).diagnostics).toEqual([]);
    expect((await provider.planAction({ actionType, config })).diagnostics).toEqual([]);
    const events: readonly InvokeActionEvent[] = await Array.fromAsync(provider.invokeAction({ actionType, config }));
    expect(events).toEqual([
      ...[1, 2, 3].map((time) => ({ kind: "progress", message: `touched ${id}, ${time} of 3` })),
      { kind: "completed", diagnostics: [] },
    ]);
    expect(JSON.parse(readFileSync(join(directory, `${id}.json`), "utf8"))).toMatchObject({ touched: 3 });

    const wrong = await Array.fromAsync(provider.invokeAction({ actionType, config: await touching(provider, { id: "absent" }) }));
    expect(wrong).toMatchObject([{ kind: "completed", diagnostics: [{ summary: "Record Not Touched", attribute: [{ name: "id" }] }] }]);
  });

  test("serves later calls after its consumer cancels a stream", async ({ expect }) => {
    await using provider = (await configured()).opened;
    const [id = ""] = await records(provider, "a", "b", "c");
    // The action has a million events. A consumer that stops after one must not wait for the others, nor receive them.
    const config = await touching(provider, { id, times: 1_000_000 });
    for await (const event of provider.invokeAction({ actionType, config })) {
      expect(event).toMatchObject({ kind: "progress" });
      break;
    }
    const controller = new AbortController();
    const cancelled = (async () => {
      for await (const { kind } of provider.invokeAction({ actionType, config }, { signal: controller.signal })) controller.abort(kind);
    })();
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });

    const { listResources } = await provider.getProviderSchema({});
    const of3 = { config: configuration(listResources.get("framework_record")!), includeResourceObject: true, limit: 0 };
    const list = () => provider.listResource({ typeName: "framework_record", ...of3 });
    for await (const { displayName } of list()) {
      expect(displayName).toEqual(expect.any(String));
      break;
    }
    const listed = await Array.fromAsync(list());
    const names = listed.map(({ resourceObject }) => (toJs(resourceObject!) as { readonly name: string }).name);
    expect(names.sort()).toEqual(["a", "b", "c"]);
    expect(toJs(listed[0]!.identity!)).toEqual({ id: expect.stringMatching(/^plain-/), fingerprint: expect.any(String) });
  });

  test("opens an ephemeral resource, renews it with its latest private data, and closes it", async ({ expect }) => {
    const { opened, directory } = await configured();
    await using provider = opened;
    const { ephemeralResources } = await provider.getProviderSchema({});
    const typeName = "framework_token";
    const schema: Schema = ephemeralResources.get(typeName)!;
    const config = configuration(schema, { name: "t", ttl_seconds: 60 });
    const token = await provider.openEphemeralResource({ typeName, config });
    expect(toJs(token.result)).toMatchObject({ value: "token of t" });
    expect(token.renewAt!.getTime()).toBeGreaterThan(Date.now() + 30_000);
    const renewed = await provider.renewEphemeralResource({ typeName, private: token.private! });
    const again = await provider.renewEphemeralResource({ typeName, private: renewed.private! });
    expect((await provider.closeEphemeralResource({ typeName, private: again.private! })).diagnostics).toEqual([]);
    expect(readFileSync(join(directory, "token-t.log"), "utf8").trim().split("\n")).toEqual([
      "opened",
      "renewed 1",
      "renewed 2",
      "closed after 2",
    ]);
    expect(summaries((await provider.closeEphemeralResource({ typeName })).diagnostics)).toContain("error: Token Forgotten");
  });

  test("receives renewals of an ephemeral resource from the client until it is closed", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "client-"));
    await using client = await openProvider(peer.path, { config: { directory } });
    const log = (): string => readFileSync(join(directory, "token-kept.log"), "utf8");
    {
      await using token = await client.ephemeral("framework_token", { name: "kept", ttl_seconds: 0.2 });
      expect(token.state).toMatchObject({ value: "token of kept" });
      while (!log().includes("renewed 2")) await sleep(20);
    }
    expect(log()).toMatch(/closed after [2-9]/);
  });

  test("upgrades an identity, and moves a resource of another type", async ({ expect }) => {
    await using provider = (await configured()).opened;
    const { identitySchemas } = await provider.getResourceIdentitySchemas({});
    expect([...identitySchemas.keys()]).toEqual(["framework_record"]);
    const json = Buffer.from(JSON.stringify({ record_id: "plain-123" }));
    const { upgradedIdentity } = await provider.upgradeResourceIdentity({
      typeName: "framework_record",
      version: 0,
      rawIdentity: { json },
    });
    expect(toJs(upgradedIdentity!)).toEqual({ id: "plain-123", fingerprint: "123" });

    const type = await resourceType(provider, "framework_record");
    const state = {
      json: Buffer.from(JSON.stringify({ id: "trouble-1", name: "moved", mode: "none", seconds: null, result: "survived" })),
    };
    const stored = { state, schemaVersion: 0, private: new Uint8Array(), status: "ready" as const };
    const source = { providerAddress: "registry.terraform.io/tenon/framework", typeName: "framework_trouble", stored };
    const { object, diagnostics } = await moveObject(type, source);
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toMatchObject({ id: "trouble-1", name: "moved" });
    const kept = JSON.parse(new TextDecoder().decode(object!.private)) as { readonly note: string };
    expect(Buffer.from(kept.note, "base64").toString()).toBe('{"kept":"since the move"}');
    const unknownType = await moveObject(type, { ...source, typeName: "other_resource" });
    expect([unknownType.object, unknownType.diagnostics.length]).toEqual([undefined, 1]);
  });

  test("reports its metadata and functions, and an error for a state store that it does not have", async ({ expect }) => {
    await using provider = (await configured()).opened;
    const metadata = await provider.getMetadata({});
    expect(metadata).toMatchObject({ dataSources: ["framework_lookup"], actions: ["framework_touch"], stateStores: [] });
    expect([...(await provider.getFunctions({})).functions.keys()].sort()).toEqual(["describe", "dynamic", "fail", "join"]);
    expect(summaries((await provider.getStates({ typeName: "framework_store" })).diagnostics)).toEqual([
      "error: State Store Type Not Found",
    ]);
  });

  test("defers a plan while its own configuration is unknown", async ({ expect }) => {
    await using provider = await launchProvider({ command: peer.path });
    const { provider: schema } = await provider.getProviderSchema({});
    const clientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
    const config = configuration(schema!, { directory: unknown(string) });
    const refused = await provider.configureProvider({ terraformVersion: "1.12.6", config });
    expect(summaries(refused.diagnostics)).toEqual(["error: Unknown Directory"]);
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config, clientCapabilities });
    expect(diagnostics).toEqual([]);
    const type = await resourceType(provider, "framework_record");
    const planned = configuration(type.schema, { name: "later" });
    const { deferred } = await provider.planResourceChange({
      typeName: "framework_record",
      priorState: nullOf(planned.type),
      proposedNewState: planned,
      config: planned,
      priorPrivate: new Uint8Array(),
      clientCapabilities,
    });
    expect(deferred).toEqual({ reason: "providerConfigUnknown" });
  });
});
