// SPDX-License-Identifier: Apache-2.0
// Rules 6 to 9: what is wrong with a schema is found when it is defined.
import { describe, test } from "vitest";
import {
  attr,
  block,
  createProvider,
  defineProvider,
  nested,
  parameter,
  useStateForUnknown,
  type Attribute,
  type Schema,
} from "../../src/index.ts";
import { internalValidate } from "@tenon/schema";
import { farm, rawResource } from "./raw-resource.ts";

const handlers = { create: () => ({}), read: () => undefined, update: () => ({}), delete: () => {} };
const resource = (schema: object, more: object = {}): unknown => farm.resource("field", { schema, ...handlers, ...more } as never);
const text = attr.string({ optional: true });
const secret = attr.string({ optional: true, writeOnly: true });
/** What no compiler lets pass. */
const loose = (options: object): Attribute<string, "optional"> => attr.string(options as never) as never;

test("rule 6: GetProviderSchema answers every group, sorted by name, or what is wrong", async ({ expect }) => {
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
  expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("the language keeps this name for itself") }]);
});

describe("rule 7", () => {
  test("rule 7: a name is of lower-case letters, digits and underscores", ({ expect }) => {
    for (const name of ["A", "1a", "a-b", "", "ä"]) expect(() => resource({ [name]: text }), name).toThrow("a name is lower-case letters");
    for (const name of ["a", "_a", "a1", "a_b"]) expect(() => resource({ [name]: text }), name).not.toThrow();
  });

  test("rule 7: names the language keeps for itself are refused at the root, and nowhere else", ({ expect }) => {
    const kept = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];
    for (const name of kept) {
      expect(() => resource({ [name]: text }), name).toThrow("the language keeps this name for itself");
      expect(() => resource({ inside: nested.single({ [name]: text }, { optional: true }) }), name).not.toThrow();
    }
    for (const name of ["alias", "version"]) {
      expect(() => defineProvider({ name: "p", version: "1", schema: { [name]: text } }), name).toThrow("keeps this name for itself");
      expect(() => resource({ [name]: text }), name).not.toThrow();
    }
  });
});

test("rule 8: faults of a schema are found when it is defined", ({ expect }) => {
  const f = (more: object): unknown => farm.function("f", { parameters: {}, returns: attr.string(), call: () => "", ...more } as never);
  const faults: readonly (readonly [() => unknown, string])[] = [
    [() => resource({ a: loose({ required: true, default: "x" }) }), "a required attribute never takes its default"],
    [() => resource({ a: attr.number({ default: "x" as never }) }), "the default: is a string, and must be a number"],
    [() => resource({ a: attr.list(attr.string(), { default: [1 as never] }) }), "the default: [0] is a number, and must be a string"],
    [() => resource({ a: attr.list(undefined as never, { optional: true }) }), "a list has an element type"],
    [() => resource({ a: attr.object({}, { optional: true }) }), "an object type has members"],
    [() => resource({ a: attr.list(attr.dynamic(), { optional: true }) }), "a dynamic type cannot be inside a collection"],
    [() => resource({ a: block.map({ b: attr.dynamic({ optional: true }) }) }), "a dynamic type cannot be inside a collection"],
    [
      () => resource({ a: nested.single({ b: text }, { optional: true, writeOnly: true }) }),
      "everything inside a write-only nested attribute is write-only",
    ],
    [() => resource({ a: nested.set({ b: secret }, { optional: true }) }), "a write-only attribute cannot be inside a set"],
    [() => resource({ a: block.set({ b: secret }) }), "a write-only attribute cannot be inside a set"],
    [
      () => resource({ a: nested.single({ b: secret }, { computed: true }) }),
      "a write-only attribute cannot be inside a computed nested attribute",
    ],
    [() => resource({ a: loose({}) }), "an attribute of a schema says required, optional, computed or default"],
    [() => resource({ a: loose({ writeOnly: true, optional: true, computed: true }) }), "a write-only attribute is never computed"],
    [() => resource({ a: loose({ required: true, optional: true }) }), "an attribute is required or optional, not both"],
    [() => resource({ a: text }, { identity: { a: attr.map(attr.string()) } }), "an identity is of primitive types and lists of them"],
    [() => f({ returns: undefined }), "a function says what it returns"],
    [() => f({ parameters: { "": parameter(attr.string()) } }), '"" is no name'],
    [
      () => f({ parameters: { arguments: parameter(attr.string()) }, variadic: parameter(attr.string()) }),
      "two parameters are called arguments",
    ],
    [() => f({ parameters: { a: parameter(attr.list(attr.dynamic())) } }), "a dynamic type cannot be inside a collection"],
  ];
  for (const [define, message] of faults) expect(define, message).toThrow(message);
});

test("rule 9: what the cores refuse in a schema is found when it is defined", ({ expect }) => {
  const faults: readonly (readonly [() => unknown, string])[] = [
    [() => resource({ a: loose({ required: true, computed: true }) }), "a required attribute is never computed"],
    [() => resource({ a: block.single({ b: text }, { min: 1 } as never) }), "a single block has no min and max"],
    [() => resource({ a: block.group({ b: text }, { max: 1 } as never) }), "a group block has no min and max"],
    [() => resource({ a: block.map({ b: text }, { min: 1 } as never) }), "a map block has no min and max"],
    [() => resource({ a: block.list({ b: text }, { min: 3, max: 2 }) }), "max is at least 1, and not below min"],
    [() => resource({ a: block.set({ b: attr.dynamic({ optional: true }) }) }), "a dynamic type cannot be inside a collection"],
    [
      () =>
        resource({ a: nested.set({ b: nested.single({ c: attr.dynamic({ optional: true }) }, { optional: true }) }, { optional: true }) }),
      "a dynamic type cannot be inside a collection",
    ],
  ];
  for (const [define, message] of faults) expect(define, message).toThrow(message);
});

test("rule 9: what is accepted here, the cores accept", async ({ expect }) => {
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
