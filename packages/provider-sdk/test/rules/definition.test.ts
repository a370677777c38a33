// SPDX-License-Identifier: Apache-2.0
// Rules 6 to 9: an invalid schema is rejected when it is defined. They describe the server of terraform-plugin-framework
// (internal/fwserver) and the checks of the cores; `scripts/mutate/rules` refers to them by number.
import { describe, test } from "vitest";
import { attr, block, createProvider, defineProvider, nested, parameter, type Attribute, type Schema } from "../../src/index.ts";
import { useStateForUnknown } from "../../src/plan-modifiers/index.ts";
import { internalValidate } from "@tenon/schema";
import { farm, rawResource } from "./raw-resource.ts";

const handlers = { create: () => ({}), read: () => undefined, update: () => ({}), delete: () => {} };
const resource = (schema: object, more: object = {}): unknown => farm.resource("field", { schema, ...handlers, ...more } as never);
const text = attr.string({ optional: true });
const secret = attr.string({ optional: true, writeOnly: true });
/** An attribute with options that TypeScript would refuse. */
const loose = (options: object): Attribute<string, "optional"> => attr.string(options as never) as never;

test("rule 6: GetProviderSchema returns every group sorted by name, or the error", async ({ expect }) => {
  const { block: body } = await rawResource({
    schema: { b: text, a: text, d: block.list({ y: text, x: text }), c: block.set({ z: text }) },
  });
  expect([Object.keys(body.attributes), Object.keys(body.blocks), Object.keys(body.blocks["d"]!.block.attributes)]).toEqual([
    ["a", "b"],
    ["c", "d"],
    ["x", "y"],
  ]);
  const two = ["b", "a"].map((name) => farm.resource(name, { schema: { id: text }, ...handlers } as never));
  const { resources } = await createProvider(farm.with(two)).getProviderSchema({});
  expect([...resources.keys()]).toEqual(["farm_a", "farm_b"]);
  const broken = createProvider(farm.with([() => Promise.resolve(resource({ count: text }) as never)]));
  const { diagnostics } = await broken.getProviderSchema({});
  expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("the language reserves this name") }]);
});

describe("rule 7", () => {
  test("rule 7: a name consists of lower-case letters, digits and underscores", ({ expect }) => {
    for (const name of ["A", "1a", "a-b", "", "ä"])
      expect(() => resource({ [name]: text }), name).toThrow("a name must consist of lower-case letters");
    for (const name of ["a", "_a", "a1", "a_b"]) expect(() => resource({ [name]: text }), name).not.toThrow();
  });

  test("rule 7: refuses reserved names at the root, and accepts them elsewhere", ({ expect }) => {
    const reserved = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];
    for (const name of reserved) {
      expect(() => resource({ [name]: text }), name).toThrow("the language reserves this name");
      expect(() => resource({ inside: nested.single({ [name]: text }, { optional: true }) }), name).not.toThrow();
    }
    for (const name of ["alias", "version"]) {
      expect(() => defineProvider({ name: "p", version: "1.0.0", schema: { [name]: text } }), name).toThrow("reserves this name");
      expect(() => resource({ [name]: text }), name).not.toThrow();
    }
  });
});

test("rule 8: rejects an invalid schema when it is defined", ({ expect }) => {
  const f = (more: object): unknown => farm.function("f", { parameters: {}, returns: attr.string(), call: () => "", ...more } as never);
  const faults: readonly (readonly [() => unknown, string])[] = [
    [() => resource({ a: loose({ required: true, default: "x" }) }), "a required attribute cannot have a default"],
    [() => resource({ a: attr.number({ default: "x" as never }) }), "the default: is a string, but must be a number"],
    [() => resource({ a: attr.list(attr.string(), { default: [1 as never] }) }), "the default: [0] is a number, but must be a string"],
    [() => resource({ a: attr.list(undefined as never, { optional: true }) }), "a list must have an element type"],
    [() => resource({ a: attr.object({}, { optional: true }) }), "an object type must have members"],
    [() => resource({ a: attr.list(attr.dynamic(), { optional: true }) }), "a dynamic type cannot be inside a collection"],
    [() => resource({ a: block.map({ b: attr.dynamic({ optional: true }) }) }), "a dynamic type cannot be inside a collection"],
    [
      () => resource({ a: nested.single({ b: text }, { optional: true, writeOnly: true }) }),
      "every attribute inside a write-only nested attribute must be write-only",
    ],
    [() => resource({ a: nested.set({ b: secret }, { optional: true }) }), "a write-only attribute cannot be inside a set"],
    [() => resource({ a: block.set({ b: secret }) }), "a write-only attribute cannot be inside a set"],
    [
      () => resource({ a: nested.single({ b: secret }, { computed: true }) }),
      "a write-only attribute cannot be inside a computed nested attribute",
    ],
    [() => resource({ a: loose({}) }), "an attribute of a schema must set required, optional, computed or default"],
    [() => resource({ a: loose({ writeOnly: true, optional: true, computed: true }) }), "a write-only attribute cannot be computed"],
    [() => resource({ a: loose({ required: true, optional: true }) }), "an attribute cannot be both required and optional"],
    [
      () => resource({ a: text }, { identity: { a: attr.map(attr.string()) } }),
      "an identity can only contain primitive types and lists of them",
    ],
    [() => f({ returns: undefined }), "a function must have a result type"],
    [() => f({ parameters: { "": parameter(attr.string()) } }), '"" is not a valid name'],
    [
      () => f({ parameters: { arguments: parameter(attr.string()) }, variadic: parameter(attr.string()) }),
      "two parameters have the name arguments",
    ],
    [() => f({ parameters: { a: parameter(attr.list(attr.dynamic())) } }), "a dynamic type cannot be inside a collection"],
  ];
  for (const [define, message] of faults) expect(define, message).toThrow(message);
});

test("rule 9: rejects a schema that the cores would reject when it is defined", ({ expect }) => {
  const faults: readonly (readonly [() => unknown, string])[] = [
    [() => resource({ a: loose({ required: true, computed: true }) }), "a required attribute cannot be computed"],
    [() => resource({ a: block.single({ b: text }, { min: 1 } as never) }), "a single block cannot have min or max"],
    [() => resource({ a: block.group({ b: text }, { max: 1 } as never) }), "a group block cannot have min or max"],
    [() => resource({ a: block.map({ b: text }, { min: 1 } as never) }), "a map block cannot have min or max"],
    [() => resource({ a: block.list({ b: text }, { min: 3, max: 2 }) }), "max must be at least 1, and not below min"],
    [() => resource({ a: block.set({ b: attr.dynamic({ optional: true }) }) }), "a dynamic type cannot be inside a collection"],
    [
      () =>
        resource({ a: nested.set({ b: nested.single({ c: attr.dynamic({ optional: true }) }, { optional: true }) }, { optional: true }) }),
      "a dynamic type cannot be inside a collection",
    ],
  ];
  for (const [define, message] of faults) expect(define, message).toThrow(message);
});

test("rule 9: the cores accept the schemas that the SDK accepts", async ({ expect }) => {
  const every: Schema = {
    one: block.single({ a: text }, { required: true }),
    two: block.group({ a: text }),
    three: block.list({ a: text }, { min: 1, max: 2 }),
    four: block.set({ a: text }),
    five: block.map({ a: text }),
    six: nested.list({ a: attr.string({ default: "x" }), b: secret }, { optional: true, computed: true }),
    seven: attr.dynamic({ computed: true, planModifiers: [useStateForUnknown()] }),
  };
  const { provider } = await rawResource({ schema: every });
  const { resources } = await provider.getProviderSchema({});
  expect(internalValidate(resources.get("farm_field")!)).toEqual([]);
  const single = resources.get("farm_field")!.block.blocks["one"]!;
  expect([single.minItems, single.maxItems]).toEqual([1, 1]);
});
