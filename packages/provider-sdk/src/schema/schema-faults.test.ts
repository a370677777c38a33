// SPDX-License-Identifier: Apache-2.0
import { internalValidate } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, createProvider, defineProvider, nested, parameter, replaceInstead, SdkError, type Schema } from "../index.ts";

const house = defineProvider({ name: "house", version: "1.0.0" });
const handlers = { create: () => ({}), read: () => undefined, update: replaceInstead, delete: () => {} };

const resource = (schema: Schema): unknown => house.resource("room", { schema, ...handlers } as never);
const dataSource = (schema: Schema): unknown => house.dataSource("room", { schema, read: () => ({}) } as never);
const provider = (schema: Schema): unknown => defineProvider({ name: "house", version: "1.0.0", schema } as never);

/** An attribute that TypeScript would not take. */
const wrong = (options: object): never => attr.string(options as never) as never;
const text = attr.string({ optional: true });
const secret = attr.string({ optional: true, writeOnly: true });

describe("a schema that cannot be is refused when it is defined", () => {
  test.for<readonly [string, () => unknown, string]>([
    ["a bad name", () => resource({ Name: text }), "attribute Name: a name is lower-case letters, digits and underscores"],
    ["a name the language keeps", () => resource({ count: text }), "attribute count: the language keeps this name for itself"],
    ["one of the provider's own", () => provider({ alias: text }), "attribute alias: the language keeps this name for itself"],
    [
      "no flags",
      () => resource({ a: attr.string() as never }),
      "attribute a: an attribute of a schema says required, optional, computed or default",
    ],
    [
      "required and optional",
      () => resource({ a: wrong({ required: true, optional: true }) }),
      "an attribute is required or optional, not both",
    ],
    ["required and computed", () => resource({ a: wrong({ required: true, computed: true }) }), "a required attribute is never computed"],
    [
      "required with a default",
      () => resource({ a: wrong({ required: true, default: "x" }) }),
      "a required attribute never takes its default",
    ],
    [
      "write-only and computed",
      () => resource({ a: wrong({ optional: true, computed: true, writeOnly: true }) }),
      "a write-only attribute is never computed",
    ],
    [
      "a default of another type",
      () => resource({ a: wrong({ default: 5 }) }),
      "attribute a: the default: is a number, and must be a string",
    ],
    [
      "a default with a hole",
      () => resource({ a: attr.list(attr.string(), { default: ["x", null as never] }) }),
      "the default: [1] is null, and must not be",
    ],
    [
      "a default of a nested attribute that leaves out what is required",
      () => resource({ a: nested.list({ b: attr.string({ required: true }) }, { default: [{}] as never }) }),
      "attribute a: the default: b is required",
    ],
    [
      "a default of a nested attribute that says what the provider says",
      () => resource({ a: nested.map({ b: attr.string({ computed: true }) }, { default: { k: { b: "x" } } as never }) }),
      "attribute a: the default: b is computed, so the provider says what it is",
    ],
    [
      "a default of a nested attribute that is null, or of another type",
      () => resource({ a: nested.set({ b: text }, { default: [null] as never }), c: nested.single({ d: text }, { default: [] as never }) }),
      "room: 2 faults\n  attribute a: the default: it is null, or holds null",
    ],
    [
      "a required nested attribute with a default",
      () => resource({ a: nested.single({ b: text }, { required: true, default: { b: null } } as never) as never }),
      "a required attribute never takes its default",
    ],
    [
      "something write-only below a default",
      () => resource({ a: nested.single({ b: secret }, { default: { b: null } }) }),
      "attribute a.b: a write-only attribute cannot be inside a nested attribute with a default",
    ],
    [
      "a default of a nested attribute of a data source",
      () => dataSource({ a: nested.single({ b: text }, { default: { b: null } }) }),
      "only a resource has defaults",
    ],
    [
      "flags on an element",
      () => resource({ a: attr.list(wrong({ required: true }), { optional: true }) }),
      "an element type has no required",
    ],
    ["a list of nothing", () => resource({ a: attr.list(undefined as never, { optional: true }) }), "a list has an element type"],
    ["an empty object", () => resource({ a: attr.object({}, { optional: true }) }), "an object type has members"],
    [
      "dynamic in a list",
      () => resource({ a: attr.list(attr.dynamic(), { optional: true }) }),
      "a dynamic type cannot be inside a collection",
    ],
    [
      "dynamic in a nested map",
      () => resource({ a: nested.map({ b: attr.dynamic({ optional: true }) }, { optional: true }) }),
      "attribute a.b: a dynamic type cannot",
    ],
    [
      "dynamic in a set block",
      () => resource({ a: block.set({ b: attr.dynamic({ optional: true }) }) }),
      "attribute a.b: a dynamic type cannot",
    ],
    [
      "write-only in a set",
      () => resource({ a: block.set({ b: secret }) }),
      "attribute a.b: a write-only attribute cannot be inside a set",
    ],
    [
      "write-only in something computed",
      () => resource({ a: nested.single({ b: secret }, { computed: true }) }),
      "cannot be inside a computed nested attribute",
    ],
    [
      "anything else below write-only",
      () => resource({ a: nested.single({ b: text }, { optional: true, writeOnly: true }) }),
      "everything inside a write-only nested attribute is write-only",
    ],
    [
      "a block in a nested attribute",
      () => resource({ a: nested.single({ b: block.list({ c: text }) }, { optional: true }) }),
      "a block cannot be inside a nested attribute",
    ],
    ["a nested attribute of nothing", () => resource({ a: nested.single({}, { optional: true }) }), "a nested attribute has attributes"],
    ["max below min", () => resource({ a: block.list({ b: text }, { min: 3, max: 2 }) }), "max is at least 1, and not below min"],
    ["half a block", () => resource({ a: block.list({ b: text }, { min: 0.5 }) }), "min and max are whole numbers"],
    [
      "a computed attribute of a provider",
      () => provider({ a: attr.string({ computed: true }) }),
      "the configuration of a provider has no computed attributes",
    ],
    ["a default in a data source", () => dataSource({ a: attr.string({ default: "x" }) }), "only a resource has defaults"],
    ["write-only in a data source", () => dataSource({ a: secret }), "only a resource has write-only attributes"],
    [
      "plan modifiers in a data source",
      () => dataSource({ a: attr.string({ optional: true, planModifiers: [({ planned }) => planned] }) }),
      "only a resource has plan modifiers",
    ],
    [
      "a validator that is none",
      () => resource({ a: attr.string({ optional: true, validators: ["x" as never] }) }),
      "validators is a list of functions",
    ],
    ["something else altogether", () => resource({ a: 5 as never }), "an entry of a schema is made with attr, nested or block"],
    [
      "a parameter with flags",
      () =>
        house.function("f", {
          parameters: { a: parameter(attr.string({ optional: true }) as never) },
          returns: attr.string(),
          call: () => "",
        }),
      "attribute a: a parameter's type has no optional",
    ],
    [
      "a dynamic parameter in a list",
      () => house.function("f", { parameters: { a: parameter(attr.list(attr.dynamic())) }, returns: attr.string(), call: () => "" }),
      "a dynamic type cannot",
    ],
    [
      "a function without a result",
      () => house.function("f", { parameters: {}, returns: undefined as never, call: () => "" } as never),
      "a function says what it returns",
    ],
  ])("%s", ([, define, message], { expect }) => {
    expect(define).toThrow(expect.objectContaining({ code: "INVALID_SCHEMA", message: expect.stringContaining(message) }));
  });

  test("all faults at once, with the way to each", ({ expect }) => {
    const define = (): unknown => resource({ rule: block.list({ From: text, to: attr.string() as never }), count: text });
    expect(define).toThrow(SdkError);
    expect(define).toThrow(
      `provider house, resource room: 3 faults
  attribute count: the language keeps this name for itself: it cannot be in the schema of a resource
  attribute rule.From: a name is lower-case letters, digits and underscores, and does not begin with a digit
  attribute rule.to: an attribute of a schema says required, optional, computed or default`,
    );
  });
});

describe("a definition that cannot be", () => {
  test.for<readonly [string, () => unknown, string]>([
    [
      "a resource without handlers",
      () => house.resource("r", { schema: {}, create: () => ({}) } as never),
      "a resource has a function update, or update: replaceInstead",
    ],
    ["a component's name", () => house.resource("R", { schema: {}, ...handlers } as never), '"R" is no name'],
    ["a provider's name", () => defineProvider({ name: "My", version: "1" }), '"My" is no provider name'],
    ["a provider without a version", () => defineProvider({ name: "my" } as never), "a provider has a version"],
    ["a version", () => house.resource("r", { schema: {}, version: -1, ...handlers } as never), "version is a whole number"],
    [
      "an import by what is not there",
      () => house.resource("r", { schema: { a: text }, ...handlers, importState: { attributes: ["b"], separator: "/" } } as never),
      'importById names "b"',
    ],
    [
      "an import by a list",
      () =>
        house.resource("r", {
          schema: { a: attr.list(attr.string(), { optional: true }) },
          ...handlers,
          importState: { attributes: ["a"], separator: "/" },
        } as never),
      "importById needs text or a number",
    ],
    ["hooks that are no functions", () => defineProvider({ name: "my", version: "1", configure: 5 } as never), "configure is a function"],
  ])("%s", ([, define, message], { expect }) => {
    expect(define).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) }));
  });
});

test("what is accepted here, the cores accept too", async ({ expect }) => {
  const schema = {
    name: attr.string({ required: true }),
    any: attr.dynamic({ optional: true }),
    object: attr.object({ any: attr.dynamic(), list: attr.list(attr.set(attr.map(attr.bool()))) }, { computed: true }),
    one: nested.single({ a: attr.string({ default: "x" }), token: secret, any: attr.dynamic({ optional: true }) }, { optional: true }),
    many: nested.set(
      { a: attr.number({ required: true }), deep: nested.map({ b: attr.bigint({ computed: true }) }, { computed: true }) },
      { optional: true, computed: true },
    ),
    single: block.single({ a: text }, { required: true }),
    perhaps: block.single({ a: text }),
    group: block.group({ a: text, inner: block.map({ b: text }) }),
    list: block.list({ token: secret, set: block.set({ c: text }, { max: 3 }) }, { min: 1, max: 2 }),
  };
  const room = createProvider(house.with([house.resource("room", { schema, ...handlers } as never)]));
  const compiled = (await room.getProviderSchema({})).resources.get("house_room")!;
  expect(internalValidate(compiled)).toEqual([]);
  expect(compiled.block.blocks["single"]).toMatchObject({ minItems: 1, maxItems: 1 });
  expect(compiled.block.blocks["list"]).toMatchObject({ minItems: 1, maxItems: 2 });
});

describe("a provider that promises protocol 5", () => {
  const old = defineProvider({ name: "old", version: "1.0.0", protocols: [5] });
  const inner = nested.single({ a: text }, { optional: true });

  test("is refused attributes with attributes, with the way to each", ({ expect }) => {
    const define = (): unknown => old.resource("r", { schema: { a: inner, b: block.list({ c: inner }) }, ...handlers } as never);
    expect(define).toThrow(`provider old, resource r: 2 faults
  attribute a: it has attributes of its own, which protocol 5 cannot carry: use a block, or protocols: [6]
  attribute b.c: it has attributes of its own, which protocol 5 cannot carry: use a block, or protocols: [6]`);
    expect(() => defineProvider({ name: "old", version: "1", protocols: [5, 6], schema: { a: inner } })).toThrow(
      "attribute a: it has attributes",
    );
    expect(() => defineProvider({ name: "old", version: "1", protocols: [6], schema: { a: inner } })).not.toThrow();
    expect(() => old.action("x", { schema: { a: inner }, invoke: () => {} })).toThrow("attribute a: it has attributes");
  });

  test("is refused state stores, and versions that there are not", ({ expect }) => {
    const store = { open: () => 1, read: () => undefined, write: () => {}, list: () => [], delete: () => {} };
    expect(() => old.stateStore("s", store)).toThrow("only protocol 6 has state stores");
    expect(() => defineProvider({ name: "old", version: "1", protocols: [4 as never] })).toThrow("protocols is [5], [6] or [5, 6]");
  });
});
