// SPDX-License-Identifier: Apache-2.0
import { same } from "@tenon/cty";
import type { Provider, UpgradeResourceStateResponse } from "@tenon/schema";
import { describe, test } from "vitest";
import { note, notebook } from "../../../test/notebook.ts";
import { configOf, toPlain, startLife, texts, type Data } from "../../../test/resource-life.ts";
import { attr, block, defineProvider, importById, nested, replaceInstead, upgrader, type Schema } from "../../index.ts";
import type { MoveContext, ResourceDefinition } from "../../definition/index.ts";
import { createProvider } from "../create-provider.ts";

const box = defineProvider({ name: "box", version: "1.0.0" });
const handlers = { create: () => ({}), read: () => undefined, update: replaceInstead, delete: () => {} };

function providerOf(schema: Schema, more: Partial<ResourceDefinition<undefined, Schema, string>> = {}): Provider {
  const definition = { schema, ...handlers, ...more } as unknown as ResourceDefinition<undefined, Schema, string>;
  return createProvider(box.with([box.resource("thing", definition)]));
}

const json = (text: string): { readonly json: Uint8Array } => ({ json: new TextEncoder().encode(text) });

async function upgrade(provider: Provider, version: number, text: string): Promise<unknown> {
  const response: UpgradeResourceStateResponse = await provider.upgradeResourceState({
    typeName: "box_thing",
    version,
    rawState: json(text),
  });
  return response.upgradedState === undefined ? texts(response.diagnostics) : toPlain(response.upgradedState);
}

describe("state of the same version", () => {
  const schema = {
    name: attr.string({ required: true }),
    count_: attr.decimal({ optional: true }),
    on: attr.bool({ optional: true }),
    any: attr.dynamic({ optional: true }),
    labels: attr.set(attr.string(), { optional: true }),
    token: attr.string({ optional: true, writeOnly: true }),
    rules: block.list({ from: attr.number({ required: true }) }),
    group: block.group({ a: attr.string({ optional: true }) }),
  };

  test("is read leniently: drops removed attributes, sets new ones to null, and converts between numbers and strings", async ({
    expect,
  }) => {
    const recorded = `{"name":5,"gone":{"a":1},"count_":"12","on":"1","labels":["b","a","a"],"token":"old","rules":[{"from":"1","gone":true}],
      "any":{"type":["list","number"],"value":[1,9007199254740993]}}`;
    expect(await upgrade(providerOf(schema), 0, recorded)).toEqual({
      name: "5",
      count_: 12,
      on: true,
      any: [1, 9007199254740993n],
      labels: ["a", "b"],
      token: null,
      rules: [{ from: 1 }],
      group: { a: null },
    });
  });

  test("keeps numbers that a JavaScript number cannot hold", async ({ expect }) => {
    expect(await upgrade(providerOf(schema), 0, '{"name":"a","count_":123456789012345678901}')).toMatchObject({
      count_: 123456789012345678901n,
    });
    const { block: body } = (await providerOf(schema).getProviderSchema({})).resources.get("box_thing")!;
    const response = await providerOf(schema).upgradeResourceState({
      typeName: "box_thing",
      version: 0,
      rawState: json('{"name":"a","count_":0.1}'),
    });
    expect(same(response.upgradedState!, configOf(body, { name: "a", count_: 0.1 }))).toBe(true);
  });

  test("reports the path of a value that has the wrong type", async ({ expect }) => {
    expect(await upgrade(providerOf(schema), 0, '{"name":["a"],"rules":[{"from":"many"}]}')).toEqual([
      "error: Cannot read the recorded state of box_thing: name is not a string.",
      "error: Cannot read the recorded state of box_thing: rules[0].from is not a number.",
    ]);
    expect(await upgrade(providerOf(schema), 0, "{")).toEqual([expect.stringContaining("It is not valid JSON")]);
    const flatmap = await providerOf(schema).upgradeResourceState({
      typeName: "box_thing",
      version: 0,
      rawState: { flatmap: { name: "a" } },
    });
    expect(texts(flatmap.diagnostics)).toEqual([expect.stringContaining("Terraform 0.11")]);
  });
});

describe("state of an older version", () => {
  const schema = { id: attr.string({ computed: true }), names: attr.list(attr.string(), { required: true }) };
  const upgradeState = {
    0: upgrader({ upgrade: ({ state }) => ({ id: String(state["key"]), label: state["label"] }) }),
    1: upgrader({
      schema: { id: attr.string({ computed: true }), label: attr.string({ optional: true }) },
      upgrade: ({ state }) => ({ id: state.id, names: state.label === null ? [] : [state.label] }),
    }),
  };

  test("is upgraded one version at a time", async ({ expect }) => {
    const provider = providerOf(schema, { version: 2, upgradeState });
    expect(await upgrade(provider, 0, '{"key":12345678901234567890,"label":"a"}')).toEqual({ id: "12345678901234567890", names: ["a"] });
    expect(await upgrade(provider, 1, '{"id":7,"gone":1}')).toEqual({ id: "7", names: [] });
    expect(await upgrade(provider, 2, '{"id":"7","names":["x"]}')).toEqual({ id: "7", names: ["x"] });
  });

  test("reports an unknown version, and an upgrader that fails", async ({ expect }) => {
    const provider = providerOf(schema, {
      version: 2,
      upgradeState: {
        1: upgrader({
          upgrade: ({ state }) => {
            if (state["id"] === "x") throw new Error("too old");
            return { id: "1", names: 5 };
          },
        }),
      },
    });
    expect(await upgrade(provider, 0, "{}")).toEqual([
      "error: Cannot upgrade the state of box_thing: There is no upgrader from version 0 to 1; this provider has those from version 1 on.",
    ]);
    expect(await upgrade(provider, 3, "{}")).toEqual([
      "error: Cannot read the recorded state of box_thing: It has version 3, and this provider knows version 2: use a newer one.",
    ]);
    expect(await upgrade(provider, 1, '{"id":"x"}')).toEqual(["error: Cannot upgrade the state of box_thing from version 1: too old"]);
    expect(await upgrade(provider, 1, "{}")).toEqual([
      "error: Invalid result from the provider: upgradeState of box_thing: names is a number, but must be an array. This is a bug in the provider.",
    ]);
  });

  test("refuses a chain with a missing upgrader when the resource is defined", ({ expect }) => {
    expect(() => providerOf(schema, { version: 3, upgradeState })).toThrow("upgradeState has no upgrader from version 2");
    expect(() => providerOf(schema, { version: 1 })).toThrow("upgradeState has no upgrader from version 0");
    expect(() => providerOf(schema, { version: 1, upgradeState })).toThrow("upgradeState has an upgrader from version 1");
  });
});

describe("moving state of another type", () => {
  const moveState = ({ sourceTypeName, sourceState, sourceProviderAddress }: MoveContext): Data | undefined =>
    sourceTypeName === "old_thing" ? { id: sourceState["key"], from: sourceProviderAddress } : undefined;
  const schema = { id: attr.string({ computed: true }), from: attr.string({ computed: true }) };
  const move = async (provider: Provider, sourceTypeName: string): Promise<unknown> => {
    const response = await provider.moveResourceState({
      sourceProviderAddress: "registry.opentofu.org/acme/old",
      sourceTypeName,
      sourceSchemaVersion: 0,
      sourceState: json('{"key":"k"}'),
      targetTypeName: "box_thing",
      sourcePrivate: new Uint8Array(0),
      sourceIdentitySchemaVersion: 0,
    });
    return response.targetState === undefined ? texts(response.diagnostics) : toPlain(response.targetState);
  };

  test("accepts the source types that moveState accepts", async ({ expect }) => {
    const provider = providerOf(schema, { moveState: moveState as never });
    expect(await move(provider, "old_thing")).toEqual({ id: "k", from: "registry.opentofu.org/acme/old" });
    expect(await move(provider, "null_resource")).toEqual([
      "error: Cannot move state to box_thing: This resource does not support a move from null_resource of registry.opentofu.org/acme/old, version 0.",
    ]);
    expect(await move(providerOf(schema), "old_thing")).toEqual([expect.stringContaining("does not support moves from other type")]);
  });
});

describe("import", () => {
  const importing = (schema: Schema, importState: unknown): Provider => providerOf(schema, { importState: importState as never });
  const imported = async (provider: Provider, id: string): Promise<unknown> => {
    const response = await provider.importResourceState({ typeName: "box_thing", id });
    const [first] = response.importedResources;
    return first === undefined ? texts(response.diagnostics) : toPlain(first.state);
  };
  const schema = {
    project: attr.string({ required: true }),
    number: attr.number({ required: true }),
    rules: block.list({ a: attr.string({ optional: true }) }),
  };

  test("puts the parts of an id into attributes", async ({ expect }) => {
    const provider = importing(schema, importById("project", "number"));
    expect(await imported(provider, "demo/12")).toEqual({ project: "demo", number: 12, rules: [] });
    expect(await imported(provider, "demo")).toEqual([
      'error: Cannot import box_thing: The id has the form project/number; "demo" does not.',
    ]);
    expect(await imported(provider, "demo/x")).toEqual([
      "error: Cannot import box_thing: The id has the form project/number, where number is a number.",
    ]);
    expect(await imported(importing(schema, importById("number", "project")), "12/a/b")).toEqual({ project: "a/b", number: 12, rules: [] });
  });

  test("by a function returns the whole state, or reports that the resource does not exist", async ({ expect }) => {
    const provider = importing(schema, ({ id }: { readonly id: string }) =>
      id === "a" ? { project: "p", number: 1, rules: [] } : undefined,
    );
    expect(await imported(provider, "a")).toEqual({ project: "p", number: 1, rules: [] });
    expect(await imported(provider, "b")).toEqual(['error: Cannot import box_thing: No resource with the id "b" exists.']);
  });

  test("is refused by a resource without importState", async ({ expect }) => {
    expect(await imported(providerOf(schema), "a")).toEqual([expect.stringContaining("This resource cannot be imported")]);
  });
});

test("generates a configuration from the state, without the attributes that a practitioner would omit", async ({ expect }) => {
  const schema = {
    id: attr.string({ optional: true, computed: true }),
    name: attr.string({ required: true }),
    empty: attr.string({ optional: true }),
    made: attr.number({ computed: true }),
    old: attr.string({ optional: true, deprecated: "no" }),
    parts: nested.list({ id: attr.string({ optional: true, computed: true }), made: attr.string({ computed: true }) }, { optional: true }),
    rules: block.set({ a: attr.string({ optional: true }), made: attr.string({ computed: true }) }),
  };
  const provider = providerOf(schema);
  const { block: body } = (await provider.getProviderSchema({})).resources.get("box_thing")!;
  const state = configOf(body, {
    id: "1",
    name: "n",
    empty: "",
    made: 5,
    old: "x",
    parts: [{ id: "p", made: "m" }],
    rules: [{ a: "b", made: "m" }],
  });
  expect(toPlain((await provider.generateResourceConfig({ typeName: "box_thing", state })).config!)).toEqual({
    id: null,
    name: "n",
    empty: null,
    made: null,
    old: null,
    parts: [{ id: "p", made: null }],
    rules: [{ a: "b", made: null }],
  });
});

test("drops unreadable private data with a warning, and continues the read", async ({ expect }) => {
  const life = await startLife(notebook.with([note]), "notebook_note");
  await life.apply({ title: "Bread" });
  life.object = { ...life.object!, private: new TextEncoder().encode('{"a":5}') };
  expect(texts(await life.refresh())).toEqual([
    'warning: Private data discarded: The private data stored with this resource cannot be read: "a" is not a string',
  ]);
  expect(life.object?.private.length).toBe(0);
});
