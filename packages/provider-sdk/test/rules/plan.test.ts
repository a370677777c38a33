// SPDX-License-Identifier: Apache-2.0
// Rules 13 to 24: planning. They describe the server of terraform-plugin-framework (internal/fwserver);
// `scripts/mutate/rules` refers to them by number.
import { unknown, string, of, type Type } from "@tenon/cty";
import { identityType, impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, createProvider, defineProvider, isUnknown, nested, unknownValue, type Schema } from "../../src/index.ts";
import {
  requiresReplace,
  requiresReplaceIf,
  requiresReplaceIfConfigured,
  useNonNullStateForUnknown,
  useStateForUnknown,
  type PlanModifier,
} from "../../src/plan-modifiers/index.ts";
import { texts, Unknown } from "../resource-life.ts";
import { core, names, noBytes, planOf, rawResource } from "./raw-resource.ts";

const text = attr.string({ optional: true });
const computed = attr.string({ computed: true });

test("rule 13: a plan is deferred if the provider's configure was deferred", async ({ expect }) => {
  const farm = defineProvider({
    name: "farm",
    version: "1.0.0",
    configure: ({ defer }) => defer("absentPrerequisite"),
  });
  const schema = { a: text };
  const handlers = { create: () => ({ a: null }), read: () => undefined, update: () => ({ a: null }), delete: () => {} };
  const provider = createProvider(farm.with([farm.resource("field", { schema, ...handlers })]));
  const { resources, provider: own } = await provider.getProviderSchema({});
  const { block: body } = resources.get("farm_field")!;
  const nothing = of<Type>(impliedType(own!.block), {});
  await provider.configureProvider({ terraformVersion: "1.14.0", config: nothing, clientCapabilities: core });
  const config = of<Type>(impliedType(body), { a: "x" });
  const request = { typeName: "farm_field", config, priorState: of<Type>(impliedType(body), null), proposedNewState: config };
  const stored = new TextEncoder().encode('{"a":"MQ=="}');
  const { deferred, plannedState, plannedPrivate } = await provider.planResourceChange({
    ...request,
    priorPrivate: stored,
    clientCapabilities: core,
  });
  expect(deferred).toEqual({ reason: "absentPrerequisite" });
  expect([plannedState, plannedPrivate]).toEqual([config, stored]);
});

test("rule 14: a plan starts from the proposed state, and keeps identity and private data", async ({ expect }) => {
  const resource = await rawResource({ schema: { id: attr.string({ computed: true }), a: text }, identity: { id: attr.string() } });
  const { identitySchemas } = await resource.provider.getResourceIdentitySchemas({});
  const identity = of<Type>(identityType(identitySchemas.get("farm_field")!), { id: "1" });
  const stored = new TextEncoder().encode('{"a":"MQ=="}');
  const prior = { id: "1", a: "x" };
  const response = await resource.plan({ prior, config: { a: "x" }, private: stored, identity });
  expect(response.plannedIdentity).toEqual(identity);
  expect(response.plannedPrivate).toEqual(stored);
  expect(response.plannedState).toEqual(resource.value(prior));
  const created = await resource.plan({ config: { a: "x" } });
  expect(created.plannedPrivate).toEqual(noBytes);
  expect(created.diagnostics).toEqual([]);
});

describe("rule 15", () => {
  const schema = {
    size: attr.number({ default: 3 }),
    disks: block.set({ at: attr.string({ required: true }), kind: attr.string({ default: "ssd" }) }),
  };

  test("rule 15: a default applies only where the configuration is null", async ({ expect }) => {
    const resource = await rawResource({ schema: { size: schema.size, other: attr.number({ default: 4 }) } });
    expect(await planOf(resource, { config: { size: null, other: 9 } })).toEqual({ size: 3, other: 9 });
    expect(await planOf(resource, { prior: { size: 7, other: 9 }, config: {} })).toEqual({ size: 3, other: 4 });
    expect(await planOf(resource, { config: { size: Unknown } })).toEqual({ size: Unknown, other: 4 });
  });

  test("rule 15: a default applies inside elements, and creates no element", async ({ expect }) => {
    const resource = await rawResource({ schema: { disks: schema.disks } });
    expect(await planOf(resource, { config: { disks: [{ at: "a" }, { at: "b", kind: "tape" }] } })).toEqual({
      disks: [
        { at: "a", kind: "ssd" },
        { at: "b", kind: "tape" },
      ],
    });
    expect(await planOf(resource, { config: {} })).toEqual({ disks: [] });
  });
});

test("rule 16: a write-only value is null in every plan", async ({ expect }) => {
  const secret = attr.string({ optional: true, writeOnly: true });
  const resource = await rawResource({ schema: { a: secret, in: nested.list({ b: secret, c: text }, { optional: true }) } });
  expect(await planOf(resource, { config: { a: "x", in: [{ b: "y", c: "z" }] } })).toEqual({ a: null, in: [{ b: null, c: "z" }] });
});

describe("rule 17", () => {
  const schema = {
    id: computed,
    a: text,
    chosen: attr.string({ optional: true, computed: true }),
    usual: attr.string({ default: "u" }),
    in: nested.list({ id: computed, b: text }, { optional: true }),
  };
  const prior = { id: "1", a: "x", chosen: "c", usual: "u", in: [{ id: "2", b: "y" }] };

  test("rule 17: any change marks computed attributes that are not configured unknown", async ({ expect }) => {
    const resource = await rawResource({ schema });
    expect(await planOf(resource, { prior, config: { a: "new", in: [{ b: "y" }] } })).toEqual({
      id: Unknown,
      a: "new",
      chosen: Unknown,
      usual: "u",
      in: [{ id: Unknown, b: "y" }],
    });
    const withoutA = { prior, config: { in: [{ b: "y" }] } };
    expect(await planOf(resource, withoutA)).toMatchObject({ id: Unknown, a: null });
    expect(await planOf(resource, { prior, config: { a: "x", chosen: "d", in: [{ b: "y" }] } })).toMatchObject({
      id: Unknown,
      chosen: "d",
    });
  });

  test("rule 17: without a change everything stays known", async ({ expect }) => {
    const resource = await rawResource({ schema });
    expect(await planOf(resource, { prior, config: { a: "x", in: [{ b: "y" }] } })).toEqual(prior);
  });
});

describe("rule 18", () => {
  test("rule 18: modifiers of one attribute run in order, each with the result of the one before it", async ({ expect }) => {
    const add =
      (letter: string): PlanModifier<string> =>
      ({ planned }) =>
        isUnknown(planned) ? letter : `${planned ?? ""}${letter}`;
    const resource = await rawResource({ schema: { a: attr.string({ computed: true, planModifiers: [add("a"), add("b")] }) } });
    expect(await planOf(resource, { config: {} })).toEqual({ a: "ab" });
  });

  test("rule 18: modifiers receive configuration, plan and state of the same path, also inside elements", async ({ expect }) => {
    const seen: unknown[] = [];
    const look: PlanModifier<string> = (change) => {
      seen.push([change.state, change.planned, change.config, change.isNew]);
      return change.planned;
    };
    const watched = attr.string({ optional: true, computed: true, planModifiers: [look] });
    const schema = { list: nested.list({ a: watched }, { optional: true }), map: block.map({ a: watched }) };
    const resource = await rawResource({ schema });
    await resource.plan({ prior: { list: [{ a: "1" }] }, config: { list: [{ a: "2" }, { a: null }], map: { k: { a: "m" } } } });
    expect(seen).toEqual([
      ["1", "2", "2", false],
      [null, unknownValue, null, true],
      [null, "m", "m", true],
    ]);
  });

  test("rule 18: modifiers of nested attributes run before those of the enclosing attribute", async ({ expect }) => {
    const order: string[] = [];
    const note =
      <T>(name: string): PlanModifier<T> =>
      ({ planned }) => {
        order.push(name);
        return planned as never;
      };
    const inner = attr.string({ optional: true, planModifiers: [note("inner")] });
    const resource = await rawResource({ schema: { a: nested.single({ b: inner }, { optional: true, planModifiers: [note("outer")] }) } });
    await resource.plan({ config: { a: { b: "x" } } });
    expect(order).toEqual(["inner", "outer"]);
  });

  test("rule 18: a modifier that throws is an error at its attribute", async ({ expect }) => {
    const fail: PlanModifier<string> = () => {
      throw new Error("no");
    };
    const { plan } = await rawResource({ schema: { a: attr.string({ optional: true, planModifiers: [fail] }) } });
    const { diagnostics } = await plan({ config: { a: "x" } });
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "The plan modifier of a failed: no", attribute: [{ name: "a" }] }]);
  });
});

test("rule 19: the resource's own plan runs last and adds replacements; planDestroy runs for a destroy", async ({ expect }) => {
  const calls: string[] = [];
  const schema = { a: attr.string({ optional: true, planModifiers: [requiresReplace()] }), b: text, c: computed };
  const resource = await rawResource({
    schema,
    plan: ({ planned, set, requireReplace }) => {
      calls.push(`plan ${String(planned.a)}`);
      requireReplace("b");
      set({ c: "set" });
    },
    planDestroy: ({ state, warn }) => {
      calls.push(`planDestroy ${String(state.a)}`);
      warn("going");
    },
  });
  const prior = { a: "1", b: "1", c: "1" };
  const response = await resource.plan({ prior, config: { a: "2", b: "2" } });
  expect(names(response.requiresReplace)).toEqual(["a", "b"]);
  expect(response.plannedState).toEqual(resource.value({ a: "2", b: "2", c: "set" }));
  const destroyed = await resource.plan({ prior });
  expect(texts(destroyed.diagnostics)).toEqual(["warning: going: "]);
  expect(calls).toEqual(["plan 2", "planDestroy 1"]);
});

describe("rule 20", () => {
  const schema = { id: attr.string({ computed: true }), a: text };
  const identity = { id: attr.string() };

  test("rule 20: a plan may set the identity, but may change it only if it is mutable", async ({ expect }) => {
    const renaming = await rawResource({ schema, identity, plan: ({ setIdentity }) => setIdentity({ id: "2" }) });
    const { identitySchemas } = await renaming.provider.getResourceIdentitySchemas({});
    const known = of<Type>(identityType(identitySchemas.get("farm_field")!), { id: "1" });
    const prior = { id: "1", a: "x" };
    expect((await renaming.plan({ config: { a: "x" } })).plannedIdentity).toEqual(of<Type>(known.type, { id: "2" }));
    const changed = await renaming.plan({ prior, config: { a: "y" }, identity: known });
    expect(texts(changed.diagnostics)[0]).toContain("Unexpected identity change");
    const mutable = await rawResource({ schema, identity, mutableIdentity: true, plan: ({ setIdentity }) => setIdentity({ id: "2" }) });
    const allowed = await mutable.plan({ prior, config: { a: "y" }, identity: known });
    expect(allowed.diagnostics).toEqual([]);
    expect(allowed.plannedIdentity).toEqual(of<Type>(known.type, { id: "2" }));
  });
});

test("rule 21: paths that require replacement are unique, and sorted by their text", async ({ expect }) => {
  const replacing = attr.string({ optional: true, planModifiers: [requiresReplace(), requiresReplace()] });
  const resource = await rawResource({
    schema: { b: replacing, a: replacing, c: block.list({ d: replacing }) },
    plan: ({ requireReplace }) => {
      for (const name of ["c", "b", "a"] as const) requireReplace(name);
    },
  });
  const { requiresReplace: paths } = await resource.plan({
    prior: { a: "1", b: "1", c: [{ d: "1" }] },
    config: { a: "2", b: "2", c: [{ d: "2" }] },
  });
  expect(names(paths)).toEqual(["a", "b", "c", "c.[].d"]);
});

test("rule 22: a destroy is planned as null", async ({ expect }) => {
  const resource = await rawResource({ schema: { a: text }, planDestroy: () => {} });
  const { plannedState, requiresReplace: paths, diagnostics } = await resource.plan({ prior: { a: "x" } });
  expect([plannedState.payload, paths, diagnostics]).toEqual([null, [], []]);
});

describe("rule 23", () => {
  const schemaWith = (modifier: PlanModifier<string>, more: Schema = {}): Schema => ({
    a: text,
    b: attr.string({ optional: true, computed: true, planModifiers: [modifier] }),
    ...more,
  });

  test("rule 23: useStateForUnknown keeps the recorded value, even null", async ({ expect }) => {
    const resource = await rawResource({ schema: schemaWith(useStateForUnknown()) });
    expect(await planOf(resource, { prior: { a: "1", b: "s" }, config: { a: "2" } })).toEqual({ a: "2", b: "s" });
    expect(await planOf(resource, { prior: { a: "1", b: null }, config: { a: "2" } })).toEqual({ a: "2", b: null });
    expect(await planOf(resource, { config: { a: "2" } })).toEqual({ a: "2", b: Unknown });
    expect(await planOf(resource, { prior: { a: "1", b: "s" }, config: { a: "2", b: Unknown } })).toEqual({ a: "2", b: Unknown });
    expect(await planOf(resource, { prior: { a: "1", b: "s" }, config: { a: "2", b: "c" } })).toEqual({ a: "2", b: "c" });
  });

  test("rule 23: useNonNullStateForUnknown does not keep null", async ({ expect }) => {
    const resource = await rawResource({ schema: schemaWith(useNonNullStateForUnknown()) });
    expect(await planOf(resource, { prior: { a: "1", b: "s" }, config: { a: "2" } })).toEqual({ a: "2", b: "s" });
    expect(await planOf(resource, { prior: { a: "1", b: null }, config: { a: "2" } })).toEqual({ a: "2", b: Unknown });
  });

  test("rule 23: requiresReplace does not apply to a create, or without a change", async ({ expect }) => {
    const resource = await rawResource({ schema: schemaWith(requiresReplace()) });
    const prior = { a: "1", b: "s" };
    expect(names((await resource.plan({ prior, config: { a: "1", b: "t" } })).requiresReplace)).toEqual(["b"]);
    expect(names((await resource.plan({ prior, config: { a: "2" } })).requiresReplace)).toEqual(["b"]);
    expect((await resource.plan({ prior, config: { a: "1", b: "s" } })).requiresReplace).toEqual([]);
    expect((await resource.plan({ config: { a: "1", b: "s" } })).requiresReplace).toEqual([]);
  });

  test("rule 23: a custom modifier cannot require replacement in a create", async ({ expect }) => {
    const always: PlanModifier<string> = ({ planned, requireReplace }) => (requireReplace(), planned);
    const resource = await rawResource({ schema: schemaWith(always) });
    expect((await resource.plan({ config: { a: "1", b: "s" } })).requiresReplace).toEqual([]);
  });

  test("rule 23: requiresReplaceIfConfigured does not apply to a value that the provider chose", async ({ expect }) => {
    const resource = await rawResource({ schema: schemaWith(requiresReplaceIfConfigured()) });
    const prior = { a: "1", b: "s" };
    expect(names((await resource.plan({ prior, config: { a: "1", b: "t" } })).requiresReplace)).toEqual(["b"]);
    expect((await resource.plan({ prior, config: { a: "2" } })).requiresReplace).toEqual([]);
  });

  test("rule 23: requiresReplaceIf applies if its condition holds", async ({ expect }) => {
    const shrinks = requiresReplaceIf<string>(
      ({ state, planned }) => String(planned) < String(state),
      "a smaller value requires replacement",
    );
    const resource = await rawResource({ schema: schemaWith(shrinks) });
    const prior = { a: "1", b: "m" };
    expect(names((await resource.plan({ prior, config: { a: "1", b: "a" } })).requiresReplace)).toEqual(["b"]);
    expect((await resource.plan({ prior, config: { a: "1", b: "z" } })).requiresReplace).toEqual([]);
  });
});

describe("rule 24", () => {
  const rule = { from: attr.number({ required: true }), protocol: attr.string({ default: "tcp" }), about: computed };
  const keeping = { ...rule, about: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }) };

  test("rule 24: an element of a set keeps its recorded values, even if defaults are filled in", async ({ expect }) => {
    const resource = await rawResource({ schema: { rules: nested.set(keeping, { optional: true }) } });
    const prior = {
      rules: [
        { from: 2, protocol: "udp", about: "a" },
        { from: 1, protocol: "tcp", about: "z" },
      ],
    };
    expect(await planOf(resource, { prior, config: { rules: [{ from: 1 }, { from: 2, protocol: "udp" }] } })).toEqual(prior);
    const { rules } = (await planOf(resource, {
      prior,
      config: { rules: [{ from: 1 }, { from: 2, protocol: "udp" }, { from: 3 }] },
    })) as { readonly rules: readonly unknown[] };
    expect(rules).toContainEqual({ from: 1, protocol: "tcp", about: "z" });
    expect(rules).toContainEqual({ from: 2, protocol: "udp", about: "a" });
    expect(rules).toContainEqual({ from: 3, protocol: "tcp", about: Unknown });
  });
});

describe("rule 24", () => {
  const keeping = attr.string({ computed: true, planModifiers: [useStateForUnknown()] });
  const disk = { name: attr.string({ required: true }), size: attr.number({ optional: true }), id: keeping };

  for (const [what, schema] of Object.entries({
    "nested attributes": { disks: nested.list(disk, { optional: true, elementKey: "name" }) },
    blocks: { disks: block.list(disk, { elementKey: "name" }) },
  })) {
    test(`rule 24: elements of a list of ${what} keep their recorded values when they move, matched by their key`, async ({ expect }) => {
      const resource = await rawResource({ schema });
      const prior = {
        disks: [
          { name: "a", size: 1, id: "1" },
          { name: "b", size: 1, id: "2" },
        ],
      };
      const config = { disks: [{ name: "new" }, { name: "b", size: 1 }, { name: "a", size: 2 }] };
      expect(await planOf(resource, { prior, config })).toEqual({
        disks: [
          { name: "new", size: null, id: Unknown },
          { name: "b", size: 1, id: "2" },
          { name: "a", size: 2, id: "1" },
        ],
      });
    });

    test(`rule 24: elements of a list of ${what} keep no recorded values after an element whose key is unknown`, async ({ expect }) => {
      const resource = await rawResource({ schema });
      const prior = {
        disks: [
          { name: "a", size: 1, id: "1" },
          { name: "b", size: 1, id: "2" },
        ],
      };
      // The unknown name may become "b", and keeps the recorded values of "b" then.
      const config = { disks: [{ name: "a", size: 1 }, { name: Unknown }, { name: "b", size: 1 }] };
      const planned = (await planOf(resource, { prior, config })) as { readonly disks: readonly { readonly id: unknown }[] };
      expect(planned.disks.map(({ id }) => id)).toEqual(["1", Unknown, Unknown]);
    });
  }

  test("rule 24: an element key must be a configured attribute, and belong to a list", async ({ expect }) => {
    const define = (schema: Schema): Promise<unknown> => rawResource({ schema });
    await expect(define({ a: nested.list(disk, { optional: true, elementKey: "id" }) })).rejects.toThrow("it must name an attribute that");
    await expect(define({ a: block.list(disk, { elementKey: "none" as never }) })).rejects.toThrow(
      'elementKey names "none", which does not exist',
    );
    await expect(define({ a: nested.set(disk, { optional: true, elementKey: "name" }) })).rejects.toThrow("only a list can");
  });
});

test("rule 24: keeps an unknown value as proposed", async ({ expect }) => {
  const resource = await rawResource({ schema: { a: text } });
  const planned = of<Type>(resource.value({ a: "x" }).type, { a: unknown(string) });
  const { plannedState } = await resource.plan({ config: { a: Unknown }, planned });
  expect(plannedState).toEqual(planned);
});
