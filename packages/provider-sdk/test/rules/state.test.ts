// SPDX-License-Identifier: Apache-2.0
// Rules 25 to 38: apply, read, import, move and upgrade. They describe the server of terraform-plugin-framework (internal/fwserver);
// `scripts/mutate/rules` refers to them by number.
import { of, type Type, type Value } from "@tenon/cty";
import { identityType, type RawState } from "@tenon/schema";
import { describe, test } from "vitest";
import {
  attr,
  block,
  createProvider,
  defineProvider,
  identityUpgrader,
  importById,
  moduleMeta,
  nested,
  replaceInstead,
  upgrader,
  type Schema,
} from "../../src/index.ts";
import { configOf, toPlain, texts, Unknown, type Data } from "../resource-life.ts";
import { core, noBytes, rawResource, type RawResource } from "./raw-resource.ts";

const text = attr.string({ optional: true });
const json = (value: unknown): RawState => ({ json: new TextEncoder().encode(JSON.stringify(value)) });
const bytes = (data: Data): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify(
      Object.fromEntries(Object.entries(data).map(([name, one]) => [name, Buffer.from(JSON.stringify(one)).toString("base64")])),
    ),
  );

async function identityOf(resource: RawResource, data: Data | null): Promise<Value> {
  const { identitySchemas } = await resource.provider.getResourceIdentitySchemas({});
  return of<Type>(identityType(identitySchemas.get("farm_field")!), data);
}

test("rule 25: creates without a prior state, deletes without a planned state, updates with both", async ({ expect }) => {
  const calls: string[] = [];
  const resource = await rawResource({
    schema: { a: text },
    create: ({ planned }) => (calls.push("create"), planned),
    update: ({ planned }) => (calls.push("update"), planned),
    delete: () => void calls.push("delete"),
  });
  await resource.apply({ config: { a: "x" }, planned: resource.value({ a: "x" }) });
  await resource.apply({ prior: { a: "x" }, config: { a: "y" }, planned: resource.value({ a: "y" }) });
  await resource.apply({ prior: { a: "y" }, planned: resource.value(null) });
  expect(calls).toEqual(["create", "update", "delete"]);
});

test("rule 26: a handler that returns no state is an error, and a delete leaves no state", async ({ expect }) => {
  const silent = await rawResource({ schema: { a: text }, create: () => undefined as never, update: () => undefined as never });
  const created = await silent.apply({ config: { a: "x" }, planned: silent.value({ a: "x" }) });
  expect(texts(created.diagnostics)[0]).toContain("create of farm_field returned nothing");
  expect(created.newState.payload).toBeNull();
  const updated = await silent.apply({ prior: { a: "x" }, config: { a: "y" }, planned: silent.value({ a: "y" }) });
  expect(texts(updated.diagnostics)[0]).toContain("update of farm_field returned nothing");
  expect(toPlain(updated.newState)).toEqual({ a: "x" });
  const refusing = await rawResource({ schema: { a: text }, create: ({ error }) => error("a", "is taken") as never });
  const refused = await refusing.apply({ config: { a: "x" }, planned: refusing.value({ a: "x" }) });
  expect([refused.newState.payload, texts(refused.diagnostics)]).toEqual([null, ["error: is taken: a: is taken"]]);
  const gone = await silent.apply({ prior: { a: "x" }, planned: silent.value(null), private: bytes({ a: 1 }) });
  expect([gone.newState.payload, gone.private, gone.diagnostics]).toEqual([null, noBytes, []]);
  const stuck = await rawResource({
    schema: { a: text },
    delete: () => {
      throw new Error("in use");
    },
  });
  const kept = await stuck.apply({ prior: { a: "x" }, planned: stuck.value(null), private: bytes({ a: 1 }) });
  expect([kept.newState, kept.private]).toEqual([stuck.value({ a: "x" }), bytes({ a: 1 })]);
});

test("rule 27: saved state and private data are returned with a later error", async ({ expect }) => {
  const resource = await rawResource({
    schema: { id: attr.string({ computed: true }), a: text },
    create: ({ saveState, privateState }) => {
      saveState({ id: "1" } as never);
      privateState.set("etag", "e");
      throw new Error("connection lost");
    },
    update: ({ saveState }) => {
      saveState({ a: "half" } as never);
      throw new Error("connection lost");
    },
  });
  const created = await resource.apply({ config: { a: "x" }, planned: resource.value({ id: Unknown, a: "x" }) });
  expect(texts(created.diagnostics)).toEqual(["error: Cannot create farm_field: connection lost"]);
  expect([toPlain(created.newState), created.private]).toEqual([{ id: "1", a: null }, Buffer.from(bytes({ etag: "e" }))]);
  const prior = { id: "1", a: "x" };
  const updated = await resource.apply({ prior, config: { a: "y" }, planned: resource.value({ id: "1", a: "y" }) });
  expect(toPlain(updated.newState)).toEqual({ id: "1", a: "half" });
});

describe("rule 28", () => {
  const schema = { id: attr.string({ computed: true }), a: text };

  test("rule 28: a missing identity is an error after create, update and read", async ({ expect }) => {
    const resource = await rawResource({
      schema,
      identity: { key: attr.string() },
      create: ({ planned }) => ({ ...planned, id: "1" }) as never,
      update: ({ planned }) => planned as never,
    });
    const planned = resource.value({ id: "1", a: "x" });
    for (const response of [
      await resource.apply({ config: { a: "x" }, planned }),
      await resource.apply({ prior: { id: "1", a: "w" }, config: { a: "x" }, planned }),
      await resource.read({ id: "1", a: "x" }),
    ]) {
      expect(texts(response.diagnostics)[0]).toContain("Missing identity");
    }
  });

  test("rule 28: a changed identity is an error, unless it is mutable", async ({ expect }) => {
    const changing = { schema, identity: { id: attr.string() }, update: () => ({ id: "2", a: "x" }) };
    const resource = await rawResource(changing);
    const request = { prior: { id: "1", a: "w" }, config: { a: "x" }, planned: resource.value({ id: Unknown, a: "x" }) };
    const identity = await identityOf(resource, { id: "1" });
    expect(texts((await resource.apply({ ...request, identity })).diagnostics)[0]).toContain("Unexpected identity change");
    const mutable = await rawResource({ ...changing, mutableIdentity: true });
    const response = await mutable.apply({ ...request, identity });
    expect([response.diagnostics, toPlain(response.newIdentity!)]).toEqual([[], { id: "2" }]);
  });
});

describe("rule 29", () => {
  const caseless = attr.string({ optional: true, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });

  test("rule 29: a result equivalent to the planned value becomes the planned value", async ({ expect }) => {
    const resource = await rawResource({ schema: { a: caseless }, create: () => ({ a: "BREAD" }), update: () => ({ a: "RYE" }) });
    const created = await resource.apply({ config: { a: "Bread" }, planned: resource.value({ a: "Bread" }) });
    expect(toPlain(created.newState)).toEqual({ a: "Bread" });
    const updated = await resource.apply({ prior: { a: "Bread" }, config: { a: "Rye" }, planned: resource.value({ a: "Rye" }) });
    expect(toPlain(updated.newState)).toEqual({ a: "Rye" });
  });

  test("rule 29: a write-only value is null in the response, and the handler receives it in config", async ({ expect }) => {
    const received: unknown[] = [];
    const secret = attr.string({ optional: true, writeOnly: true });
    const resource = await rawResource({
      schema: { a: text, pin: secret },
      create: ({ config, planned }) => (received.push(config.pin, planned.pin), { a: planned.a }),
    });
    const { newState, diagnostics } = await resource.apply({ config: { a: "x", pin: "1234" }, planned: resource.value({ a: "x" }) });
    expect([toPlain(newState), diagnostics, received]).toEqual([{ a: "x", pin: null }, [], ["1234", null]]);
    const leaking = await rawResource({ schema: { pin: secret }, create: () => ({ pin: "1234" as never }) });
    const leaked = await leaking.apply({ config: { pin: "1234" }, planned: leaking.value({}) });
    expect(toPlain(leaked.newState)).toEqual({ pin: null });
    expect(leaked.diagnostics).toEqual([]);
  });
});

describe("rule 30", () => {
  test("rule 30: a missing resource reads as null without an error; a failed read keeps the state", async ({ expect }) => {
    const gone = await rawResource({ schema: { a: text }, read: () => undefined });
    expect(await gone.read({ a: "x" }, { private: bytes({ a: 1 }) })).toEqual({
      newState: gone.value(null),
      private: noBytes,
      diagnostics: [],
    });
    const failing = await rawResource({
      schema: { a: text },
      read: () => {
        throw new Error("no network");
      },
    });
    const kept = await failing.read({ a: "x" }, { private: bytes({ a: 1 }) });
    expect([kept.newState, kept.private]).toEqual([failing.value({ a: "x" }), bytes({ a: 1 })]);
    expect(texts(kept.diagnostics)).toEqual(["error: Cannot read farm_field: no network"]);
  });

  test("rule 30: a value equivalent to the recorded one keeps the recorded form", async ({ expect }) => {
    const caseless = attr.string({ optional: true, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
    const resource = await rawResource({ schema: { a: caseless }, read: () => ({ a: "BREAD" }) });
    expect(toPlain((await resource.read({ a: "Bread" })).newState)).toEqual({ a: "Bread" });
    expect(toPlain((await resource.read({ a: "Rye" })).newState)).toEqual({ a: "BREAD" });
  });

  test("rule 30: a read may complete an identity, and may not change it", async ({ expect }) => {
    const schema = { id: attr.string({ computed: true }), zone: text };
    const resource = await rawResource({
      schema,
      identity: { id: attr.string(), zone: attr.string({ nullable: true }) },
      read: () => ({ id: "1", zone: "eu" }),
    });
    const half = await identityOf(resource, { id: "1", zone: null });
    expect(toPlain((await resource.read({ id: "1" }, { identity: half })).newIdentity!)).toEqual({ id: "1", zone: "eu" });
    const other = await identityOf(resource, { id: "2", zone: null });
    expect(texts((await resource.read({ id: "1" }, { identity: other })).diagnostics)[0]).toContain("Unexpected identity change");
  });

  test("rule 30: a deferred read returns the recorded state", async ({ expect }) => {
    const resource = await rawResource({ schema: { a: text }, read: ({ defer }) => defer("absentPrerequisite") });
    expect(await resource.read({ a: "x" }, { private: bytes({ a: 1 }) })).toEqual({
      newState: resource.value({ a: "x" }),
      private: bytes({ a: 1 }),
      deferred: { reason: "absentPrerequisite" },
      diagnostics: [],
    });
  });
});

test("rule 31: a data source returns its whole state, with configured values where they are equivalent; deferred, it is unknown", async ({
  expect,
}) => {
  const farm = defineProvider({ name: "farm", version: "1.0.0", meta: moduleMeta({ module: text }) });
  const caseless = attr.string({ required: true, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
  const weather = farm.dataSource("weather", {
    schema: { place: caseless, degrees: attr.number({ computed: true }) },
    read: ({ config, defer }) =>
      config.place === "later" ? defer("absentPrerequisite") : { place: config.place.toUpperCase(), degrees: 7 },
  });
  const provider = createProvider(farm.with([weather]));
  const { block: body } = (await provider.getProviderSchema({})).dataSources.get("farm_weather")!;
  const read = (place: string): ReturnType<typeof provider.readDataSource> =>
    provider.readDataSource({ typeName: "farm_weather", config: configOf(body, { place }), clientCapabilities: core });
  expect(toPlain((await read("Oslo")).state)).toEqual({ place: "Oslo", degrees: 7 });
  const later = await read("later");
  expect([toPlain(later.state), later.deferred]).toEqual([Unknown, { reason: "absentPrerequisite" }]);
});

describe("rule 32", () => {
  const schema = {
    id: attr.string({ computed: true }),
    pin: attr.string({ optional: true, writeOnly: true }),
    in: block.list({ a: text }),
  };

  test("rule 32: an import returns one resource, with null for attributes that are not known yet", async ({ expect }) => {
    const resource = await rawResource({ schema, importState: importById("id") });
    const { importedResources, diagnostics } = await resource.import("7");
    expect(diagnostics).toEqual([]);
    expect(importedResources.map(({ typeName, state }) => [typeName, toPlain(state)])).toEqual([
      ["farm_field", { id: "7", pin: null, in: [] }],
    ]);
  });

  test("rule 32: an import by identity keeps the identity, and fills the attributes of the same names", async ({ expect }) => {
    const resource = await rawResource({ schema, identity: { id: attr.string() }, importState: importById("id") });
    const identity = await identityOf(resource, { id: "8" });
    const { importedResources } = await resource.import("", { identity });
    expect(importedResources).toMatchObject([{ identity }]);
    expect(toPlain(importedResources[0]!.state)).toMatchObject({ id: "8" });
  });

  test("rule 32: reports a resource that cannot be imported, and one that does not exist", async ({ expect }) => {
    const closed = await rawResource({ schema });
    expect(texts((await closed.import("7")).diagnostics)[0]).toContain("This resource cannot be imported");
    const empty = await rawResource({ schema, importState: () => undefined });
    expect(texts((await empty.import("7")).diagnostics)[0]).toContain('No resource with the id "7" exists');
  });

  test("rule 32: a deferred import is unknown", async ({ expect }) => {
    const resource = await rawResource({ schema, importState: ({ defer }) => defer("absentPrerequisite") });
    const { importedResources, deferred } = await resource.import("7");
    expect([importedResources.map(({ state }) => toPlain(state)), deferred]).toEqual([[Unknown], { reason: "absentPrerequisite" }]);
  });
});

describe("rule 33", () => {
  const schema = { id: attr.string({ computed: true }), pin: attr.string({ optional: true, writeOnly: true }) };
  const moved = {
    sourceProviderAddress: "example.com/acme/shed",
    sourceTypeName: "shed_box",
    sourceSchemaVersion: 3,
    targetTypeName: "farm_field",
    sourcePrivate: new Uint8Array([1, 2]),
    sourceIdentity: json({ name: "n" }),
    sourceIdentitySchemaVersion: 0,
  };

  test("rule 33: moveState decides by provider, type and version, and returns state, identity and private data", async ({ expect }) => {
    const received: unknown[] = [];
    const resource = await rawResource({
      schema,
      identity: { key: attr.string() },
      moveState: ({
        sourceProviderAddress,
        sourceTypeName,
        sourceSchemaVersion,
        sourceState,
        sourceIdentity,
        sourcePrivate,
        ...context
      }) => {
        received.push(sourceProviderAddress, sourceTypeName, sourceSchemaVersion, sourceIdentity, sourcePrivate);
        if (sourceTypeName !== "shed_box") return undefined;
        context.setIdentity({ key: "k" });
        context.privateState.set("from", "shed");
        return { id: String(sourceState["name"]) };
      },
    });
    const response = await resource.provider.moveResourceState({ ...moved, sourceState: json({ name: "b", unheard: 1 }) });
    expect(response.diagnostics).toEqual([]);
    expect([toPlain(response.targetState!), toPlain(response.targetIdentity!)]).toEqual([{ id: "b", pin: null }, { key: "k" }]);
    expect(response.targetPrivate).toEqual(Buffer.from(bytes({ from: "shed" })));
    expect(received).toEqual(["example.com/acme/shed", "shed_box", 3, { name: "n" }, new Uint8Array([1, 2])]);
    const refused = await resource.provider.moveResourceState({ ...moved, sourceTypeName: "shed_door", sourceState: json({}) });
    expect(texts(refused.diagnostics)).toEqual([
      "error: Cannot move state to farm_field: This resource does not support a move from shed_door of example.com/acme/shed, version 3.",
    ]);
  });

  test("rule 33: refuses to move without moveState, or without a source state", async ({ expect }) => {
    const closed = await rawResource({ schema });
    const refused = await closed.provider.moveResourceState({ ...moved, sourceState: json({ id: "1" }) });
    expect(texts(refused.diagnostics)[0]).toContain("This resource does not support moves from other types, here shed_box");
    const open = await rawResource({ schema, moveState: () => ({ id: "1" }) });
    const nothing = await open.provider.moveResourceState({ ...moved, sourceState: {} });
    expect(texts(nothing.diagnostics)[0]).toContain("The request has no state of shed_box");
  });
});

const upgraded = async (resource: RawResource, version: number, rawState: RawState): Promise<unknown> => {
  const { upgradedState, diagnostics } = await resource.provider.upgradeResourceState({ typeName: "farm_field", version, rawState });
  return upgradedState === undefined ? texts(diagnostics) : toPlain(upgradedState);
};

test("rule 34: state of the same version is read leniently: removed attributes are dropped, new ones are null", async ({ expect }) => {
  const schema = {
    a: text,
    b: attr.number({ optional: true }),
    in: nested.list({ c: text }, { optional: true }),
    on: block.list({ d: text }),
  };
  const resource = await rawResource({ schema });
  expect(await upgraded(resource, 0, json({ a: "x", gone: [1], in: [{ gone: 1 }] }))).toEqual({
    a: "x",
    b: null,
    in: [{ c: null }],
    on: [],
  });
  expect(await upgraded(resource, 0, {})).toEqual([]);
});

test("rule 35: older state is upgraded one version at a time, with the schema of each version", async ({ expect }) => {
  const resource = await rawResource({
    version: 2,
    schema: { title: text, pin: attr.string({ optional: true, writeOnly: true }) },
    upgradeState: {
      0: upgrader({ schema: { name: text }, upgrade: ({ state }) => ({ label: `${state.name}1` }) }),
      1: upgrader({ upgrade: ({ state }) => ({ title: `${String(state["label"])}2` }) }),
    },
  });
  expect(await upgraded(resource, 0, json({ name: "n", gone: 1 }))).toEqual({ title: "n12", pin: null });
  expect(await upgraded(resource, 1, json({ label: "l" }))).toEqual({ title: "l2", pin: null });
  const plain: Schema = { title: text };
  const late = await rawResource({ version: 2, schema: plain, upgradeState: { 1: upgrader({ upgrade: ({ state }) => state }) } });
  expect(await upgraded(late, 0, json({}))).toEqual([
    "error: Cannot upgrade the state of farm_field: There is no upgrader from version 0 to 1; this provider has those from version 1 on.",
  ]);
  await expect(
    rawResource({ version: 2, schema: plain, upgradeState: { 0: upgrader({ upgrade: ({ state }) => state }) } }),
  ).rejects.toThrow("upgradeState has no upgrader from version 1");
});

test("rule 36: state of Terraform 0.11 and older is refused", async ({ expect }) => {
  const resource = await rawResource({ schema: { a: text } });
  expect(await upgraded(resource, 0, { flatmap: { a: "x" } })).toEqual([
    "error: Cannot read the recorded state of farm_field: It was written by Terraform 0.11 or older. Apply it once with a version from 0.12 to 1.x first.",
  ]);
});

test("rule 37: converts between numbers and strings, reads booleans from strings and digits, and sets from arrays", async ({ expect }) => {
  const schema = {
    n: attr.number({ optional: true }),
    s: text,
    b: attr.bool({ optional: true }),
    c: attr.bool({ optional: true }),
    set: attr.set(attr.string(), { optional: true }),
    any: attr.dynamic({ optional: true }),
  };
  const resource = await rawResource({ schema });
  const recorded = { n: "5", s: 7, b: "true", c: 1, set: ["b", "a", "b"], any: { type: "number", value: 3 } };
  expect(await upgraded(resource, 0, json(recorded))).toMatchObject({ n: 5, s: "7", b: true, c: true, set: ["a", "b"], any: 3 });
});

test("rule 38: identities are upgraded as states are; those of the same version stay unchanged", async ({ expect }) => {
  const resource = await rawResource({
    schema: { id: attr.string({ computed: true }) },
    identity: { id: attr.string() },
    identityVersion: 2,
    upgradeIdentity: {
      0: identityUpgrader({ identity: { name: attr.string() }, upgrade: ({ identity }) => ({ key: identity.name }) }),
      1: identityUpgrader({ upgrade: ({ identity }) => ({ id: identity["key"] }) }),
    },
    update: replaceInstead,
  });
  const upgrade = async (version: number, identity: Data): Promise<unknown> => {
    const request = { typeName: "farm_field", version, rawIdentity: json(identity) };
    const { upgradedIdentity, diagnostics } = await resource.provider.upgradeResourceIdentity(request);
    return upgradedIdentity === undefined ? texts(diagnostics) : toPlain(upgradedIdentity);
  };
  expect(await upgrade(0, { name: "n" })).toEqual({ id: "n" });
  expect(await upgrade(1, { key: "k" })).toEqual({ id: "k" });
  expect(await upgrade(2, { id: "i" })).toEqual({ id: "i" });
  expect(await upgrade(3, { id: "i" })).toEqual([
    "error: Cannot upgrade the identity of farm_field: It has version 3, and this provider knows version 2: use a newer one.",
  ]);
});
