// SPDX-License-Identifier: Apache-2.0
// Every RPC of both protocol versions, called with HashiCorp's descriptors, including RPCs that neither CLI calls. The documentation of
// provider-sdk lists the same rows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, describe, test, vi, type ExpectStatic } from "vitest";
import { of, RpcClient, typed, unknown, type Message } from "./rpc-client.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Arguments of a row's test. */
interface RowContext {
  readonly client: RpcClient;
  readonly folder: string;
  readonly version: 5 | 6;
  readonly expect: ExpectStatic;
}

/** Test of one RPC. */
interface Row {
  /** What the test shows; the documentation has the same text. */
  readonly shows: string;
  readonly run: (context: RowContext) => Promise<void>;
}

const record = (value: unknown): Message => of("resource_schemas", "conformance_record", value);
const guarded = (value: unknown): Message => of("resource_schemas", "conformance_guarded", value);
const identity = (values: Readonly<Record<string, string>>): Message => ({
  identity_data: typed(["object", Object.fromEntries(Object.keys(values).map((name) => [name, "string"]))], values),
});
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const json = (value: unknown): Message => ({ json: base64(JSON.stringify(value)) });
const at = (...names: readonly string[]): Message => ({ steps: names.map((name) => ({ attribute_name: name })) });
const error = (summary: unknown, ...path: readonly string[]): Message => ({
  severity: "ERROR",
  summary,
  ...(path.length === 0 ? {} : { attribute: at(...path) }),
});
const recorded = { region: "eu", name: "a", title: "t", size: 3, arn: "arn:eu:a" };
const deferralAllowed = { deferral_allowed: true };

/** RPCs by their names in protocol 6, in a valid order of calls. */
const rows: Readonly<Record<string, Row>> = {
  GetMetadata: {
    shows: "returns the name of every component, and the capabilities",
    run: async ({ client, expect, version }) => {
      const answer = await client.call("GetMetadata");
      expect(answer).toMatchObject({
        server_capabilities: {
          plan_destroy: true,
          get_provider_schema_optional: true,
          move_resource_state: true,
          generate_resource_config: true,
        },
        data_sources: [{ type_name: "conformance_lookup" }],
        ephemeral_resources: [{ type_name: "conformance_session" }],
        list_resources: [{ type_name: "conformance_record" }],
        actions: [{ type_name: "conformance_touch" }],
        resources: expect.arrayContaining([{ type_name: "conformance_frame" }, { type_name: "conformance_record" }]),
        functions: expect.arrayContaining([{ name: "join" }, { name: "same" }]),
      });
      if (version === 6) expect(answer["state_stores"]).toEqual([{ type_name: "conformance_shed" }]);
    },
  },
  GetProviderSchema: {
    shows: "returns the schemas of every kind of component, of the provider and of `provider_meta`",
    run: async ({ client, expect, version }) => {
      const answer = await client.call(version === 6 ? "GetProviderSchema" : "GetSchema");
      const named = (name: string): unknown => expect.arrayContaining([expect.objectContaining({ name })]);
      expect(answer).toMatchObject({
        provider: { block: { attributes: named("directory"), block_types: [{ type_name: "endpoint", nesting: "LIST", max_items: "3" }] } },
        provider_meta: { block: { attributes: named("module") } },
        resource_schemas: { conformance_record: { version: "2", block: { attributes: named("arn") } } },
        data_source_schemas: { conformance_lookup: { block: { attributes: named("content") } } },
        ephemeral_resource_schemas: { conformance_session: { block: { attributes: named("token") } } },
        list_resource_schemas: { conformance_record: { block: { attributes: named("region") } } },
        action_schemas: { conformance_touch: { schema: { block: { attributes: named("times") } } } },
        functions: { join: { variadic_parameter: { type: base64('"string"') }, return: { type: base64('"string"') } } },
      });
      if (version === 6)
        expect(answer).toMatchObject({ state_store_schemas: { conformance_shed: { block: { attributes: named("name") } } } });
      // A function that uses the client is only in the functions of a configured provider.
      expect(answer["functions"]).not.toHaveProperty("where");
    },
  },
  GetResourceIdentitySchemas: {
    shows: "returns the versions and attributes of identities",
    run: async ({ client, expect }) => {
      const { identity_schemas: schemas } = await client.call("GetResourceIdentitySchemas");
      const attribute = (name: string): Message => ({ name, type: base64('"string"'), required_for_import: true });
      expect(schemas).toEqual({ conformance_record: { version: "1", identity_attributes: [attribute("name"), attribute("region")] } });
    },
  },
  ValidateProviderConfig: {
    shows: "returns errors with the path of an attribute in a block; over protocol 5, returns the unchanged configuration",
    run: async ({ client, expect, version }) => {
      const rpc = version === 6 ? "ValidateProviderConfig" : "PrepareProviderConfig";
      const config = { of: ["provider"], value: { directory: "d", endpoint: [{ url: "http://a", weight: null }] } };
      const answer = await client.call(rpc, { config });
      const steps = [{ attribute_name: "endpoint" }, { element_key_int: "0" }, { attribute_name: "url" }];
      expect(answer["diagnostics"]).toMatchObject([{ ...error("An endpoint is reached by https."), attribute: { steps } }]);
      if (version === 5) expect(answer["prepared_config"]).toMatchObject({ directory: "d", endpoint: [{ url: "http://a" }] });
    },
  },
  ValidateResourceConfig: {
    shows: "returns errors of the schema, a rule and the author; warns about deprecations; accepts unknown values",
    run: async ({ client, expect, version }) => {
      const rpc = version === 6 ? "ValidateResourceConfig" : "ValidateResourceTypeConfig";
      const asked = async (value: unknown): Promise<unknown> =>
        (await client.call(rpc, { type_name: "conformance_guarded", config: guarded(value) }))["diagnostics"];
      expect(await asked({ name: "g", level: 13 })).toMatchObject(
        expect.arrayContaining([expect.objectContaining(error("There is no level 13.", "level"))]),
      );
      expect(await asked({ name: "g" })).toMatchObject([{ severity: "WARNING" }]);
      expect(await asked({})).toMatchObject(expect.arrayContaining([expect.objectContaining(error("Missing required attribute", "name"))]));
      expect(await asked({ name: unknown, zone: unknown })).toMatchObject([{ severity: "WARNING" }]);
    },
  },
  ValidateDataResourceConfig: {
    shows: "reports missing attributes",
    run: async ({ client, expect, version }) => {
      const rpc = version === 6 ? "ValidateDataResourceConfig" : "ValidateDataSourceConfig";
      const config = of("data_source_schemas", "conformance_lookup", {});
      expect(await client.call(rpc, { type_name: "conformance_lookup", config })).toMatchObject({
        diagnostics: [error("Missing required attribute", "id")],
      });
    },
  },
  UpgradeResourceState: {
    shows: "runs a chain of upgrades, accepts the current version, and rejects an unknown version",
    run: async ({ client, expect }) => {
      const upgraded = (version: number, state: unknown): Promise<Message> =>
        client.call("UpgradeResourceState", { type_name: "conformance_record", version, raw_state: json(state) });
      expect(await upgraded(0, { arn: "arn:eu:a", label: "t", bytes: "3", gone: [] })).toEqual({ upgraded_state: recorded });
      expect(await upgraded(2, { ...recorded, gone: true })).toEqual({ upgraded_state: recorded });
      expect(await upgraded(9, recorded)).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  UpgradeResourceIdentity: {
    shows: "upgrades an identity of an older version; rejects an unknown version",
    run: async ({ client, expect }) => {
      const upgraded = (version: number, raw: unknown): Promise<Message> =>
        client.call("UpgradeResourceIdentity", { type_name: "conformance_record", version, raw_identity: json(raw) });
      expect(await upgraded(0, { arn: "arn:eu:a" })).toEqual({ upgraded_identity: { identity_data: { region: "eu", name: "a" } } });
      expect(await upgraded(5, {})).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  ConfigureProvider: {
    shows:
      "creates the client of all later calls, and returns a warning; earlier calls that need a client fail, and so does a second configuration",
    run: async ({ client, expect, folder, version }) => {
      const rpc = version === 6 ? "ConfigureProvider" : "Configure";
      const unconfigured = await client.call("ReadResource", { type_name: "conformance_record", current_state: record(recorded) });
      expect(unconfigured).toMatchObject({ diagnostics: [{ severity: "ERROR" }], new_state: recorded });
      const configured = (value: Message): Promise<Message> =>
        client.call(rpc, { terraform_version: "1.14.0", config: { of: ["provider"], value: { directory: folder, ...value } } });
      expect(await configured({ token: "old" })).toMatchObject({ diagnostics: [{ severity: "WARNING", summary: "Old token" }] });
      expect(await configured({ token: "old" })).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  PlanResourceChange: {
    shows: "plans defaults, unknown values, identity, private data; a replacement; a destroy; a deferral with its reason",
    run: async ({ client, expect }) => {
      const config = guarded({ name: "g", level: 4 });
      const plan = (more: Message): Promise<Message> =>
        client.call("PlanResourceChange", { type_name: "conformance_guarded", config, ...more });
      expect(await plan({ prior_state: guarded(null), proposed_new_state: config })).toEqual({
        planned_state: { name: "g", zone: unknown, level: 4, protected: false, token: unknown, score: 40 },
      });
      const state = { name: "g", zone: "z1", level: 9, protected: false, token: null, score: 90 };
      const less = { prior_state: guarded(state), proposed_new_state: guarded({ ...state, level: 4 }) };
      expect(await plan(less)).toMatchObject({ planned_state: { zone: unknown, score: 40 }, requires_replace: [at("level")] });
      const gone = { prior_state: guarded(state), proposed_new_state: guarded(null), config: guarded(null) };
      expect(await plan(gone)).toMatchObject({
        planned_state: null,
        diagnostics: [{ severity: "WARNING", summary: "It cannot be brought back" }],
      });
      const later = { prior_state: guarded(null), proposed_new_state: guarded({ name: "later" }), config: guarded({ name: "later" }) };
      expect(await plan({ ...later, client_capabilities: deferralAllowed })).toMatchObject({ deferred: { reason: "ABSENT_PREREQ" } });
      expect(await plan(later)).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  ApplyResourceChange: {
    shows: "creates, updates and deletes, with identity and private data; returns both state and error for a partial creation",
    run: async ({ client, expect, folder }) => {
      const config = { region: "eu", name: "a", title: "t", size: 3 };
      const type = { type_name: "conformance_record" };
      const planned = record({ ...config, arn: unknown });
      const created = await client.call("ApplyResourceChange", {
        ...type,
        prior_state: record(null),
        planned_state: planned,
        config: record(config),
      });
      expect(created).toMatchObject({ new_state: recorded, new_identity: { identity_data: { region: "eu", name: "a" } } });
      const changed = { ...recorded, title: "u" };
      const update = { ...type, prior_state: record(recorded), planned_state: record(changed), config: record({ ...config, title: "u" }) };
      expect(
        await client.call("ApplyResourceChange", { ...update, planned_identity: identity({ region: "eu", name: "a" }) }),
      ).toMatchObject({
        new_state: changed,
        new_identity: { identity_data: { region: "eu", name: "a" } },
      });
      const destroy = { ...type, prior_state: record(changed), planned_state: record(null), config: record(null) };
      expect(await client.call("ApplyResourceChange", destroy)).toEqual({ new_state: null });
      const half = (value: unknown): Message => of("resource_schemas", "conformance_half", value);
      const broken = await client.call("ApplyResourceChange", {
        type_name: "conformance_half",
        prior_state: half(null),
        planned_state: half({ id: unknown, ending: "throws", done: unknown }),
        config: half({ ending: "throws" }),
      });
      expect(broken).toMatchObject({
        new_state: { id: expect.stringMatching(/^half-/), ending: "throws", done: null },
        diagnostics: [{ severity: "ERROR", detail: "the connection broke" }],
      });
      expect(Buffer.from(String(broken["private"]), "base64").toString()).toContain("step");
      writeFileSync(join(folder, "record-eu-a.json"), JSON.stringify({ title: "t", size: 3 }));
    },
  },
  ReadResource: {
    shows: "returns drift and deleted objects, and keeps the bytes of private data",
    run: async ({ client, expect }) => {
      const read = (value: Message, more: Message = {}): Promise<Message> =>
        client.call("ReadResource", { type_name: "conformance_record", current_state: record({ ...recorded, ...value }), ...more });
      const kept = base64(JSON.stringify({ k: base64('"v"') }));
      expect(await read({ title: "old" }, { private: kept })).toMatchObject({
        new_state: recorded,
        private: kept,
        new_identity: { identity_data: { region: "eu", name: "a" } },
      });
      expect(await read({ name: "none" })).toMatchObject({ new_state: null });
    },
  },
  ImportResourceState: {
    shows: "imports by id and by identity",
    run: async ({ client, expect }) => {
      const type_name = "conformance_record";
      const imported = [{ type_name, state: recorded, identity: { identity_data: { region: "eu", name: "a" } } }];
      expect(await client.call("ImportResourceState", { type_name, id: "eu:a" })).toMatchObject({ imported_resources: imported });
      const byIdentity = { type_name, identity: identity({ region: "eu", name: "a" }) };
      expect(await client.call("ImportResourceState", byIdentity)).toMatchObject({ imported_resources: imported });
      expect(await client.call("ImportResourceState", { type_name, id: "eu:none" })).toMatchObject({
        diagnostics: [{ severity: "ERROR" }],
      });
      const none = await client.call("ImportResourceState", { type_name: "conformance_leaf", id: "x" });
      expect(none).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  MoveResourceState: {
    shows: "moves another type's state, with a new identity; rejects a state that no type accepts",
    run: async ({ client, expect }) => {
      const move = (type: string): Promise<Message> =>
        client.call("MoveResourceState", {
          source_provider_address: "registry.terraform.io/tenon/conformance",
          source_type_name: type,
          source_schema_version: 0,
          source_state: json({ name: "m" }),
          source_identity: json({ name: "m" }),
          target_type_name: "conformance_record",
        });
      expect(await move("conformance_leaf")).toMatchObject({
        target_state: { region: "moved", name: "m", arn: "arn:moved:m" },
        target_identity: { identity_data: { region: "moved", name: "m" } },
      });
      expect(await move("other_thing")).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  ReadDataSource: {
    shows: "returns data, uses `provider_meta`, and defers",
    run: async ({ client, expect }) => {
      const read = (value: Message, more: Message = {}): Promise<Message> =>
        client.call("ReadDataSource", {
          type_name: "conformance_lookup",
          config: of("data_source_schemas", "conformance_lookup", value),
          ...more,
        });
      const provider_meta = { of: ["provider_meta"], value: { module: "network" } };
      expect(await read({ id: "record-eu-a", option: [{ name: "o" }] }, { provider_meta })).toMatchObject({
        state: { content: '{"title":"t","size":3}', said: "network", version: "1.14.0", option: [{ name: "o" }] },
      });
      expect(await read({ id: "x", wait: true }, { client_capabilities: deferralAllowed })).toMatchObject({
        deferred: { reason: "ABSENT_PREREQ" },
      });
    },
  },
  GenerateResourceConfig: {
    shows: "returns a configuration for a state, without computed and deprecated attributes",
    run: async ({ client, expect }) => {
      const state = { name: "g", zone: "z1", level: 9, protected: true, token: "t", score: 90 };
      const answer = await client.call("GenerateResourceConfig", { type_name: "conformance_guarded", state: guarded(state) });
      expect(answer).toEqual({ config: { name: "g", zone: "z1", level: null, protected: true, token: null, score: null } });
    },
  },
  ValidateEphemeralResourceConfig: {
    shows: "reports missing attributes",
    run: async ({ client, expect }) => {
      const config = of("ephemeral_resource_schemas", "conformance_session", {});
      expect(await client.call("ValidateEphemeralResourceConfig", { type_name: "conformance_session", config })).toMatchObject({
        diagnostics: [error("Missing required attribute", "name")],
      });
    },
  },
  OpenEphemeralResource: {
    shows: "returns a result, private data, and the time of renewal; returns an error",
    run: async ({ client, expect }) => {
      const answer = await openSession(client, "s");
      expect(answer).toMatchObject({ result: { name: "s", token: "token of s" }, private: expect.any(String) });
      expect(Date.parse(String(answer["renew_at"])) - Date.now()).toBeGreaterThan(30_000);
      expect(await openSession(client, "refused")).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
    },
  },
  RenewEphemeralResource: {
    shows: "receives the private data of the previous call, and returns new private data",
    run: async ({ client, expect, folder }) => {
      const { private: opened } = await openSession(client, "r");
      const renewed = await client.call("RenewEphemeralResource", { type_name: "conformance_session", private: opened });
      expect(renewed).toMatchObject({ private: expect.any(String), renew_at: expect.any(String) });
      expect(renewed["private"]).not.toBe(opened);
      expect(traced(folder)).toContain("renew r 1");
    },
  },
  CloseEphemeralResource: {
    shows: "closes the resource",
    run: async ({ client, expect, folder }) => {
      const { private: opened } = await openSession(client, "c");
      expect(await client.call("CloseEphemeralResource", { type_name: "conformance_session", private: opened })).toEqual({});
      expect(traced(folder)).toContain("close c");
    },
  },
  ValidateListResourceConfig: {
    shows: "reports missing attributes, also in blocks",
    run: async ({ client, expect }) => {
      const config = of("list_resource_schemas", "conformance_record", { filter: [{ prefix: null }] });
      const more = { include_resource_object: typed("bool", true), limit: typed("number", 3) };
      const { diagnostics } = await client.call("ValidateListResourceConfig", { type_name: "conformance_record", config, ...more });
      expect(diagnostics).toMatchObject([error("Missing required attribute"), error("Missing required attribute")]);
    },
  },
  ListResource: {
    shows: "streams results up to the limit, with the resource if requested; returns an error as the last result",
    run: async ({ client, expect }) => {
      const list = (region: string, more: Message): Promise<readonly Message[]> =>
        client.stream("ListResource", {
          type_name: "conformance_record",
          config: of("list_resource_schemas", "conformance_record", { region }),
          ...more,
        });
      const found = await list("eu", { limit: 3, include_resource_object: true });
      expect(found).toHaveLength(3);
      expect(found[2]).toEqual({
        identity: { identity_data: { region: "eu", name: "3" } },
        display_name: "3 in eu",
        resource_object: { region: "eu", name: "3", title: "untitled", size: 3, arn: "arn:eu:3" },
      });
      const bare = await list("eu", {});
      expect(bare).toHaveLength(100);
      expect(bare[0]).not.toHaveProperty("resource_object");
      expect(await list("nowhere", {})).toMatchObject([{ diagnostic: [{ severity: "ERROR" }] }]);
    },
  },
  GetFunctions: {
    shows: "also returns the functions that use the client, for a configured provider",
    run: async ({ client, expect }) => {
      const { functions } = await client.call("GetFunctions");
      expect(functions).toMatchObject({ where: { parameters: [{ name: "id" }] }, join: { variadic_parameter: {} } });
    },
  },
  CallFunction: {
    shows: "accepts variadic, null (pitfall 34), dynamic and unknown arguments; returns an error with its argument; uses the client",
    run: async ({ client, expect }) => {
      const call = (name: string, ...args: readonly Message[]): Promise<Message> => client.call("CallFunction", { name, arguments: args });
      const text = (value: string): Message => typed("string", value);
      expect(await call("join", text("-"), text("a"), text("b"))).toEqual({ result: "a-b" });
      expect(await call("join", text("-"), text("a"), text("b-c"))).toMatchObject({
        error: { text: "b-c has a separator in it", function_argument: "2" },
      });
      // OpenTofu sends a null argument as a value without bytes.
      expect(await call("same", {})).toEqual({ result: null });
      expect(await call("same", typed("dynamic", { type: ["list", "number"], value: [1, 2] }))).toEqual({ result: [1, 2] });
      expect(await call("kind", typed("dynamic", unknown))).toEqual({ result: "unknown" });
      expect(await call("where", text("record-eu-a"))).toEqual({ result: true });
      expect(await call("join")).toMatchObject({ error: { text: expect.any(String) } });
    },
  },
  ValidateActionConfig: {
    shows: "reports missing attributes",
    run: async ({ client, expect }) => {
      expect(await client.call("ValidateActionConfig", { action_type: "conformance_touch", config: touch({}) })).toMatchObject({
        diagnostics: [error("Missing required attribute", "id")],
      });
    },
  },
  PlanAction: {
    shows: "returns an error, and defers",
    run: async ({ client, expect }) => {
      const plan = (value: Message): Promise<Message> =>
        client.call("PlanAction", { action_type: "conformance_touch", config: touch(value), client_capabilities: deferralAllowed });
      expect(await plan({ id: "forbidden" })).toMatchObject({ diagnostics: [error("It may not be touched.", "id")] });
      expect(await plan({ id: unknown })).toMatchObject({ deferred: { reason: "RESOURCE_CONFIG_UNKNOWN" } });
      expect(await plan({ id: "x" })).toEqual({});
    },
  },
  InvokeAction: {
    shows: "streams progress, then one completion with its errors",
    run: async ({ client, expect }) => {
      const invoke = (value: Message): Promise<readonly Message[]> =>
        client.stream("InvokeAction", { action_type: "conformance_touch", config: touch(value) });
      expect(await invoke({ id: "x", times: 2 })).toEqual([
        { progress: { message: "touched x 1" } },
        { progress: { message: "touched x 2" } },
        { completed: {} },
      ]);
      expect((await invoke({ id: "x", key: "wrong" })).at(-1)).toMatchObject({
        completed: { diagnostics: [error("The key does not fit.", "key")] },
      });
    },
  },
  ValidateStateStoreConfig: {
    shows: "reports missing attributes",
    run: async ({ client, expect }) => {
      expect(await client.call("ValidateStateStoreConfig", { type_name: "conformance_shed", config: shed({}) })).toMatchObject({
        diagnostics: [error("Missing required attribute", "name")],
      });
    },
  },
  ConfigureStateStore: {
    shows: "returns the chunk size, or an error; earlier calls fail",
    run: async ({ client, expect }) => {
      const configure = (name: string): Promise<Message> =>
        client.call("ConfigureStateStore", {
          type_name: "conformance_shed",
          config: shed({ name }),
          capabilities: { chunk_size: 8 << 20 },
        });
      expect(await client.call("GetStates", { type_name: "conformance_shed" })).toMatchObject({ diagnostics: [{ severity: "ERROR" }] });
      expect(await configure("burnt")).toMatchObject({ diagnostics: [{ severity: "ERROR", detail: "the shed has burnt down" }] });
      expect(await configure("s")).toEqual({ capabilities: { chunk_size: "1000" } });
    },
  },
  WriteStateBytes: {
    shows: "writes a state in chunks; rejects a chunk of a wrong size, and writes nothing",
    run: async ({ client, expect }) => {
      const write = (id: string, size: number): Promise<readonly Message[]> => client.stream("WriteStateBytes", ...chunks(id, size));
      expect(await write("default", 1_000)).toEqual([{}]);
      expect(await write("other", 999)).toMatchObject([{ diagnostics: [{ severity: "ERROR" }] }]);
    },
  },
  ReadStateBytes: {
    shows: "streams the state in chunks with their ranges; returns nothing for an absent state",
    run: async ({ client, expect }) => {
      const read = (state_id: string): Promise<readonly Message[]> =>
        client.stream("ReadStateBytes", { type_name: "conformance_shed", state_id });
      const answers = await read("default");
      expect(answers.map(({ range, total_length: total }) => ({ range, total }))).toEqual([
        { range: { end: "999" }, total: "2500" },
        { range: { start: "1000", end: "1999" }, total: "2500" },
        { range: { start: "2000", end: "2499" }, total: "2500" },
      ]);
      expect(Buffer.concat(answers.map(({ bytes }) => Buffer.from(String(bytes), "base64"))).equals(state)).toBe(true);
      expect(await read("other")).toEqual([]);
    },
  },
  LockState: {
    shows: "returns the id of a lock; when locked, an error with the holder",
    run: async ({ client, expect }) => {
      const lock = (operation: string): Promise<Message> =>
        client.call("LockState", { type_name: "conformance_shed", state_id: "default", operation });
      expect(await lock("apply")).toEqual({ lock_id: "lock of default" });
      expect(await lock("plan")).toMatchObject({ diagnostics: [{ severity: "ERROR", detail: "default is locked for apply" }] });
    },
  },
  UnlockState: {
    shows: "releases a lock only with its id",
    run: async ({ client, expect }) => {
      const unlock = (lock_id: string): Promise<Message> =>
        client.call("UnlockState", { type_name: "conformance_shed", state_id: "default", lock_id });
      expect(await unlock("another")).toMatchObject({ diagnostics: [{ severity: "ERROR", detail: "another does not fit" }] });
      expect(await unlock("lock of default")).toEqual({});
    },
  },
  GetStates: {
    shows: "returns the ids of all states",
    run: async ({ client, expect }) => {
      expect(await client.call("GetStates", { type_name: "conformance_shed" })).toEqual({ state_ids: ["default"] });
    },
  },
  DeleteState: {
    shows: "deletes a state",
    run: async ({ client, expect }) => {
      expect(await client.call("DeleteState", { type_name: "conformance_shed", state_id: "default" })).toEqual({});
      expect(await client.call("GetStates", { type_name: "conformance_shed" })).toEqual({});
    },
  },
  StopProvider: {
    shows: "interrupts running calls, but not later ones",
    run: async ({ client, expect, folder, version }) => {
      const frame = (value: unknown): Message => of("resource_schemas", "conformance_frame", value);
      const group = { size: null, unit: "mm" };
      const create = (wait_ms: number): Promise<Message> =>
        client.call("ApplyResourceChange", {
          type_name: "conformance_frame",
          prior_state: frame(null),
          planned_state: frame({ name: "stopped", wait_ms, group }),
          config: frame({ name: "stopped", wait_ms, group }),
        });
      const interrupted = create(60_000);
      await vi.waitFor(() => expect(traced(folder)).toContain("create stopped"), 30_000);
      expect(await client.call(version === 6 ? "StopProvider" : "Stop")).toEqual({});
      expect(await interrupted).toMatchObject({ diagnostics: [{ severity: "ERROR", detail: expect.stringContaining("interrupted") }] });
      expect(await create(0)).toMatchObject({ new_state: { name: "stopped" } });
    },
  },
};

const touch = (value: unknown): Message => of("action_schemas", "conformance_touch", value);
const shed = (value: unknown): Message => of("state_store_schemas", "conformance_shed", value);
const state = Buffer.from(Uint8Array.from({ length: 2_500 }, (_, index) => index % 251));
const traced = (folder: string): readonly string[] => readFileSync(join(folder, "trace.log"), "utf8").split("\n");

function openSession(client: RpcClient, name: string): Promise<Message> {
  const config = of("ephemeral_resource_schemas", "conformance_session", { name, renew_after_ms: 60_000 });
  return client.call("OpenEphemeralResource", { type_name: "conformance_session", config });
}

function chunks(state_id: string, size: number): readonly Message[] {
  return Array.from({ length: Math.ceil(state.length / size) }, (_, index) => {
    const start = index * size;
    const bytes = state.subarray(start, start + size);
    return {
      ...(index === 0 ? { meta: { type_name: "conformance_shed", state_id } } : {}),
      bytes: bytes.toString("base64"),
      total_length: state.length,
      range: { start, end: start + bytes.length - 1 },
    };
  });
}

const onlyProtocol6 = /State(Store|Bytes)|^(Lock|Unlock|Delete)State$|^GetStates$/;

describePeer(["rpc-client"], "every RPC", (peers) => {
  const main = { 5: "main-flat.ts", 6: "main.ts" };
  const command = (version: 5 | 6): readonly string[] => [
    process.execPath,
    join(import.meta.dirname, "fixtures/conformance", main[version]),
  ];

  describe.each([6, 5] as const)("of protocol %i", (version) => {
    let client: RpcClient;
    const folder = mkdtempSync(join(tmpdir(), "conformance-"));
    beforeAll(() => {
      client = new RpcClient(peers["rpc-client"].path, version, command(version));
    });
    afterAll(async () => {
      await client[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    for (const [name, { shows, run }] of Object.entries(rows).filter(([one]) => version === 6 || !onlyProtocol6.test(one))) {
      test(`${name}: ${shows}`, ({ expect }) => run({ client, folder, version, expect }));
    }

    test("has been called", ({ expect }) => {
      const all = JSON.parse(execFileSync(peers["rpc-client"].path, ["-list"], { encoding: "utf8" })) as Readonly<Record<string, string[]>>;
      expect([...client.called].toSorted()).toEqual(all[version]?.toSorted());
      expect(client.called.size).toBe(version === 6 ? 36 : 28);
    });
  });

  test("is in the table of the documentation", ({ expect }) => {
    const page = readFileSync(join(import.meta.dirname, "../../packages/provider-sdk/docs/protocol.md"), "utf8");
    const documented = [...page.matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm)].map(([, name, shows]) => [name, shows]);
    expect(documented).toEqual(Object.entries(rows).map(([name, { shows }]) => [name, shows]));
  });

  test("is deferred by a provider with an unknown configuration when the host supports it", async ({ expect }) => {
    await using client = new RpcClient(peers["rpc-client"].path, 6, command(6));
    const config = { of: ["provider"], value: { directory: unknown } };
    expect(await client.call("ConfigureProvider", { terraform_version: "1.14.0", config, client_capabilities: deferralAllowed })).toEqual(
      {},
    );
    const deferred = { reason: "PROVIDER_CONFIG_UNKNOWN" };
    const read = { type_name: "conformance_record", current_state: record(recorded), client_capabilities: deferralAllowed };
    expect(await client.call("ReadResource", read)).toMatchObject({ new_state: recorded, deferred });
    const wanted = guarded({ name: "g" });
    const plan = { type_name: "conformance_guarded", prior_state: guarded(null), proposed_new_state: wanted, config: wanted };
    expect(await client.call("PlanResourceChange", { ...plan, client_capabilities: deferralAllowed })).toMatchObject({ deferred });
    const lookup = of("data_source_schemas", "conformance_lookup", { id: "x" });
    const data = { type_name: "conformance_lookup", config: lookup, client_capabilities: deferralAllowed };
    expect(await client.call("ReadDataSource", data)).toMatchObject({ deferred });
    const importing = { type_name: "conformance_record", id: "eu:a", client_capabilities: deferralAllowed };
    expect(await client.call("ImportResourceState", importing)).toMatchObject({ deferred });
    const session = of("ephemeral_resource_schemas", "conformance_session", { name: "s" });
    const opening = { type_name: "conformance_session", config: session, client_capabilities: deferralAllowed };
    expect(await client.call("OpenEphemeralResource", opening)).toMatchObject({ deferred });
    expect(
      await client.call("PlanAction", {
        action_type: "conformance_touch",
        config: touch({ id: "x" }),
        client_capabilities: deferralAllowed,
      }),
    ).toMatchObject({ deferred });
  });
});
