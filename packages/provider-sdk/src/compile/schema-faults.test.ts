// SPDX-License-Identifier: Apache-2.0
import { internalValidate } from "@tenon/schema";
import { describe, test } from "vitest";
import { atLeast, stringLength } from "../validators/index.ts";
import { attr, block, createProvider, defineProvider, nested, parameter, replaceInstead, SdkError, type Schema } from "../index.ts";

const house = defineProvider({ name: "house", version: "1.0.0" });
const handlers = { create: () => ({}), read: () => undefined, update: replaceInstead, delete: () => {} };

const resource = (schema: Schema): unknown => house.resource("room", { schema, ...handlers } as never);
const dataSource = (schema: Schema): unknown => house.dataSource("room", { schema, read: () => ({}) } as never);
const provider = (schema: Schema): unknown => defineProvider({ name: "house", version: "1.0.0", schema } as never);

/** An attribute with options that TypeScript rejects. */
const wrong = (options: object): never => attr.string(options as never) as never;
const text = attr.string({ optional: true });
const secret = attr.string({ optional: true, writeOnly: true });

describe("an invalid schema is rejected when it is defined", () => {
  test.for<readonly [string, () => unknown, string]>([
    [
      "an invalid name",
      () => resource({ Name: text }),
      "attribute Name: a name must consist of lower-case letters, digits and underscores",
    ],
    ["a name that the language reserves", () => resource({ count: text }), "attribute count: the language reserves this name"],
    ["a name that the language reserves in providers", () => provider({ alias: text }), "attribute alias: the language reserves this name"],
    [
      "no flags",
      () => resource({ a: attr.string() as never }),
      "attribute a: an attribute of a schema must set required, optional, computed or default",
    ],
    [
      "required and optional",
      () => resource({ a: wrong({ required: true, optional: true }) }),
      "an attribute cannot be both required and optional",
    ],
    ["required and computed", () => resource({ a: wrong({ required: true, computed: true }) }), "a required attribute cannot be computed"],
    [
      "required with a default",
      () => resource({ a: wrong({ required: true, default: "x" }) }),
      "a required attribute cannot have a default",
    ],
    [
      "write-only and computed",
      () => resource({ a: wrong({ optional: true, computed: true, writeOnly: true }) }),
      "a write-only attribute cannot be computed",
    ],
    [
      "a default of another type",
      () => resource({ a: wrong({ default: 5 }) }),
      "attribute a: the default: is a number, but must be a string",
    ],
    [
      "a default that its validator rejects",
      () => resource({ a: attr.string({ default: "x", validators: [stringLength({ min: 2 })] }) }),
      'attribute a: its own validator rejects the default: a must be at least 2 characters long. It is "x".',
    ],
    [
      "a default with an element that a validator rejects",
      () => resource({ a: attr.list(attr.number({ validators: [atLeast(1)] }), { default: [1, 0] }) }),
      "attribute a: its own validator rejects the default: a[1] must be at least 1.",
    ],
    [
      "a misspelt identity attribute",
      () => house.resource("room", { schema: { project: text }, identity: { projcet: attr.string() }, ...handlers } as never),
      'attribute identity.projcet: the schema has no attribute of that name: did you mean "project"?',
    ],
    [
      "a default with a null element",
      () => resource({ a: attr.list(attr.string(), { default: ["x", null as never] }) }),
      "the default: [1] is null, but must not be",
    ],
    [
      "a default of a nested attribute without a required attribute",
      () => resource({ a: nested.list({ b: attr.string({ required: true }) }, { default: [{}] as never }) }),
      "attribute a: the default: b is required",
    ],
    [
      "a default of a nested attribute with a computed attribute",
      () => resource({ a: nested.map({ b: attr.string({ computed: true }) }, { default: { k: { b: "x" } } as never }) }),
      "attribute a: the default: b is computed, so only the provider can set it",
    ],
    [
      "a default of a nested attribute that is null, or of another type",
      () => resource({ a: nested.set({ b: text }, { default: [null] as never }), c: nested.single({ d: text }, { default: [] as never }) }),
      "room: 2 faults\n  attribute a: the default: it is or contains null",
    ],
    [
      "a required nested attribute with a default",
      () => resource({ a: nested.single({ b: text }, { required: true, default: { b: null } } as never) as never }),
      "a required attribute cannot have a default",
    ],
    [
      "a write-only attribute inside a nested attribute with a default",
      () => resource({ a: nested.single({ b: secret }, { default: { b: null } }) }),
      "attribute a.b: a write-only attribute cannot be inside a nested attribute with a default",
    ],
    [
      "a default of a nested attribute of a data source",
      () => dataSource({ a: nested.single({ b: text }, { default: { b: null } }) }),
      "only a resource can have defaults",
    ],
    [
      "flags on an element",
      () => resource({ a: attr.list(wrong({ required: true }), { optional: true }) }),
      "an element type cannot set required",
    ],
    [
      "a list without an element type",
      () => resource({ a: attr.list(undefined as never, { optional: true }) }),
      "a list must have an element type",
    ],
    ["an object without members", () => resource({ a: attr.object({}, { optional: true }) }), "an object type must have members"],
    [
      "a dynamic type in a list",
      () => resource({ a: attr.list(attr.dynamic(), { optional: true }) }),
      "a dynamic type cannot be inside a collection",
    ],
    [
      "a dynamic type in a nested map",
      () => resource({ a: nested.map({ b: attr.dynamic({ optional: true }) }, { optional: true }) }),
      "attribute a.b: a dynamic type cannot",
    ],
    [
      "a dynamic type in a set block",
      () => resource({ a: block.set({ b: attr.dynamic({ optional: true }) }) }),
      "attribute a.b: a dynamic type cannot",
    ],
    [
      "a write-only attribute in a set",
      () => resource({ a: block.set({ b: secret }) }),
      "attribute a.b: a write-only attribute cannot be inside a set",
    ],
    [
      "a write-only attribute in a computed nested attribute",
      () => resource({ a: nested.single({ b: secret }, { computed: true }) }),
      "cannot be inside a computed nested attribute",
    ],
    [
      "an attribute that is not write-only in a write-only nested attribute",
      () => resource({ a: nested.single({ b: text }, { optional: true, writeOnly: true }) }),
      "every attribute inside a write-only nested attribute must be write-only",
    ],
    [
      "a block in a nested attribute",
      () => resource({ a: nested.single({ b: block.list({ c: text }) }, { optional: true }) }),
      "a block cannot be inside a nested attribute",
    ],
    [
      "a nested attribute without attributes",
      () => resource({ a: nested.single({}, { optional: true }) }),
      "a nested attribute must have attributes",
    ],
    ["max below min", () => resource({ a: block.list({ b: text }, { min: 3, max: 2 }) }), "max must be at least 1, and not below min"],
    ["a fractional number of blocks", () => resource({ a: block.list({ b: text }, { min: 0.5 }) }), "min and max must be integers"],
    [
      "a computed attribute of a provider",
      () => provider({ a: attr.string({ computed: true }) }),
      "the configuration of a provider cannot have computed attributes",
    ],
    ["a default in a data source", () => dataSource({ a: attr.string({ default: "x" }) }), "only a resource can have defaults"],
    [
      "a write-only attribute in a data source",
      () => dataSource({ a: secret }),
      "only a resource or an action can have write-only attributes",
    ],
    [
      "plan modifiers in a data source",
      () => dataSource({ a: attr.string({ optional: true, planModifiers: [({ planned }) => planned] }) }),
      "only a resource can have plan modifiers",
    ],
    [
      "a validator that is not a function",
      () => resource({ a: attr.string({ optional: true, validators: ["x" as never] }) }),
      "validators must be a list of functions",
    ],
    ["a number in place of an attribute", () => resource({ a: 5 as never }), "create an entry of a schema with attr, nested or block"],
    [
      "a parameter with flags",
      () =>
        house.function("f", {
          parameters: { a: parameter(attr.string({ optional: true }) as never) },
          returns: attr.string(),
          call: () => "",
        }),
      "attribute a: a parameter's type cannot set optional",
    ],
    [
      "a dynamic parameter in a list",
      () => house.function("f", { parameters: { a: parameter(attr.list(attr.dynamic())) }, returns: attr.string(), call: () => "" }),
      "a dynamic type cannot",
    ],
    [
      "a function without a result",
      () => house.function("f", { parameters: {}, returns: undefined as never, call: () => "" } as never),
      "a function must have a result type",
    ],
  ])("%s", ([, define, message], { expect }) => {
    expect(define).toThrow(expect.objectContaining({ code: "INVALID_SCHEMA", message: expect.stringContaining(message) }));
  });

  test("reports all faults, each with its path", ({ expect }) => {
    const define = (): unknown => resource({ rule: block.list({ From: text, to: attr.string() as never }), count: text });
    expect(define).toThrow(SdkError);
    expect(define).toThrow(
      `provider house, resource room: 3 faults
  attribute count: the language reserves this name: it cannot be in the schema of a resource
  attribute rule.From: a name must consist of lower-case letters, digits and underscores, and must not begin with a digit
  attribute rule.to: an attribute of a schema must set required, optional, computed or default`,
    );
  });
});

describe("an invalid definition", () => {
  test.for<readonly [string, () => unknown, string]>([
    [
      "a resource without handlers",
      () => house.resource("r", { schema: {}, create: () => ({}) } as never),
      "a resource must define update(), or update: replaceInstead",
    ],
    ["an invalid name of a component", () => house.resource("R", { schema: {}, ...handlers } as never), '"R" is not a valid name'],
    ["an invalid name of a provider", () => defineProvider({ name: "My", version: "1.0.0" }), '"My" is not a valid provider name'],
    [
      "a provider without a version",
      () => defineProvider({ name: "my" } as never),
      "the version is not a valid provider version: use three numbers",
    ],
    ["an invalid version", () => defineProvider({ name: "my", version: "v1" }), '"v1" is not a valid provider version: use three numbers'],
    [
      "a type name that repeats the provider's name",
      () => house.resource("house_room", { schema: {}, ...handlers } as never),
      `its name repeats the provider's name: use "room" to get the type house_room`,
    ],
    [
      "a misspelt handler",
      () => house.resource("r", { schema: {}, ...handlers, importstate: () => ({}) } as never),
      'there is no option "importstate": did you mean "importState"?',
    ],
    [
      "a misspelt option of the provider",
      () => defineProvider({ name: "my", version: "1.0.0", congfigure: () => {} } as never),
      'there is no option "congfigure": did you mean "configure"?',
    ],
    [
      "a misspelt option of a function",
      () => house.function("f", { parameters: {}, returns: attr.string(), call: () => "", sumary: "x" } as never),
      'there is no option "sumary": did you mean "summary"?',
    ],
    [
      "an invalid version of a schema",
      () => house.resource("r", { schema: {}, version: -1, ...handlers } as never),
      "version must be an integer",
    ],
    [
      "an import by an attribute that does not exist",
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
      "importById supports only strings and numbers",
    ],
    [
      "hooks that are not functions",
      () => defineProvider({ name: "my", version: "1.0.0", configure: 5 } as never),
      "configure must be a function",
    ],
  ])("%s", ([, define, message], { expect }) => {
    expect(define).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) }));
  });
});

describe("components passed to with()", () => {
  const other = defineProvider({ name: "barn", version: "1.0.0" });
  test.for<readonly [string, () => unknown, string]>([
    ["undefined", () => house.with([undefined as never]), "component 0 of provider house is undefined: its module may not export it"],
    ["an object that is not a component", () => house.with([{} as never]), "component 0 of provider house is not a component"],
    [
      "a component of another provider",
      () => house.with([other.function("f", { parameters: {}, returns: attr.string(), call: () => "" })]),
      "component 0 of provider house is f of provider barn: define it with the provider that it is passed to",
    ],
  ])("refuse %s", ([, combine, message], { expect }) => {
    expect(combine).toThrow(expect.objectContaining({ code: "INVALID_COMPONENT", message: expect.stringContaining(message) }));
  });
});

test("every accepted schema passes the checks of the cores", async ({ expect }) => {
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

describe("a provider with protocol 5", () => {
  const old = defineProvider({ name: "old", version: "1.0.0", protocols: [5] });
  const inner = nested.single({ a: text }, { optional: true });

  test("rejects nested attributes, each with its path", ({ expect }) => {
    const define = (): unknown => old.resource("r", { schema: { a: inner, b: block.list({ c: inner }) }, ...handlers } as never);
    expect(define).toThrow(`provider old, resource r: 2 faults
  attribute a: protocol 5 does not support nested attributes: use a block, or protocols: [6]
  attribute b.c: protocol 5 does not support nested attributes: use a block, or protocols: [6]`);
    expect(() => defineProvider({ name: "old", version: "1.0.0", protocols: [5, 6], schema: { a: inner } })).toThrow(
      "attribute a: protocol 5 does not support nested attributes",
    );
    expect(() => defineProvider({ name: "old", version: "1.0.0", protocols: [6], schema: { a: inner } })).not.toThrow();
    expect(() => old.action("x", { schema: { a: inner }, invoke: () => {} })).toThrow(
      "attribute a: protocol 5 does not support nested attributes",
    );
  });

  test("rejects state stores and unknown protocol versions", ({ expect }) => {
    const store = { open: () => 1, read: () => undefined, write: () => {}, list: () => [], delete: () => {} };
    expect(() => old.stateStore("s", store)).toThrow("only protocol 6 supports state stores");
    expect(() => defineProvider({ name: "old", version: "1.0.0", protocols: [4 as never] })).toThrow(
      "protocols must be [5], [6] or [5, 6]",
    );
  });
});
