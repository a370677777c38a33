// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import { describe, test } from "vitest";
import { attr, block, defineProvider, isUnknown, nested, replaceInstead, unknownValue, type Schema } from "../index.ts";
import type { ResourceDefinition } from "../definition/index.ts";
import { requiresReplace, requiresReplaceIfConfigured, useStateForUnknown, type PlanModifier } from "../plan-modifiers/index.ts";
import { toPlain, startLife, texts, Unknown, type Data, type ResourceLife } from "../../test/resource-life.ts";

const box = defineProvider({ name: "box", version: "1.0.0" });

/** A resource that returns `made-<n>` for each unknown planned value, so that its results always conform to its plans. */
async function life(schema: Schema, more: Partial<ResourceDefinition<undefined, Schema, string>> = {}): Promise<ResourceLife> {
  let made = 0;
  const fill = (value: unknown): unknown => {
    if (value === unknownValue) return `made-${++made}`;
    if (Array.isArray(value)) return value.map(fill);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]))
      : value;
  };
  const make = ({ planned }: { readonly planned: object }): never => fill(planned) as never;
  const definition = {
    schema,
    create: make,
    update: make,
    read: ({ state }: { readonly state: object }) => state as never,
    delete: () => {},
    ...more,
  };
  return startLife(box.with([box.resource("thing", definition)]), "box_thing", null);
}

const planned = async (one: ResourceLife, data: Data): Promise<unknown> => {
  const { planned, diagnostics } = await one.plan(data);
  if (planned === undefined) throw new Error(texts(diagnostics).join("\n"));
  return { action: planned.action, after: toPlain(planned.after) };
};

describe("defaults", () => {
  const rule = { from: attr.number({ required: true }), protocol: attr.string({ default: "tcp" }), id: attr.string({ computed: true }) };
  for (const [nesting, schema] of Object.entries({
    block: { rules: block.set(rule) },
    "nested attribute": { rules: nested.set(rule, { optional: true }) },
  })) {
    test(`in the elements of a set ${nesting} match recorded elements, and the next plan is empty`, async ({ expect }) => {
      const one = await life(schema);
      const data = { rules: [{ from: 1 }, { from: 2, protocol: "udp" }, { from: 3 }] };
      expect(await planned(one, data)).toEqual({
        action: "create",
        after: {
          rules: [
            { from: 1, protocol: "tcp", id: Unknown },
            { from: 2, protocol: "udp", id: Unknown },
            { from: 3, protocol: "tcp", id: Unknown },
          ],
        },
      });
      expect((await one.apply(data)).diagnostics).toEqual([]);
      expect((await one.plan(data)).planned?.action).toBe("noOp");
      // One element is removed. The others still match, and keep their computed values.
      expect((await one.apply({ rules: [{ from: 3 }, { from: 1 }] })).diagnostics).toEqual([]);
      expect(one.state()).toMatchObject({
        rules: [
          { from: 1, protocol: "tcp" },
          { from: 3, protocol: "tcp" },
        ],
      });
    });
  }

  const id = attr.string({ computed: true, planModifiers: [useStateForUnknown()] });
  const step = { name: attr.string({ required: true }), protocol: rule.protocol, note: attr.string({ optional: true }), id };
  const written = { name: "a", protocol: null, note: null };
  const completed = { name: "a", protocol: "tcp", note: null };
  for (const [nesting, attribute, around] of [
    ["object", nested.single(step, { default: written }), (one: object) => one],
    ["list", nested.list(step, { default: [written] }), (one: object) => [one]],
    ["set", nested.set(step, { default: [written] }), (one: object) => [one]],
    ["map", nested.map(step, { default: { k: written } }), (one: object) => ({ k: one })],
  ] as const) {
    test(`of a whole nested ${nesting} apply as if the configuration contained them`, async ({ expect }) => {
      const one = await life({ label: attr.string({ optional: true }), steps: attribute });
      const fresh = { ...completed, id: Unknown };
      expect(await planned(one, {})).toEqual({ action: "create", after: { label: null, steps: around(fresh) } });
      expect((await one.apply({})).diagnostics).toEqual([]);
      const recorded = { ...completed, id: "made-1" };
      expect(one.state()).toEqual({ label: null, steps: around(recorded) });
      expect((await one.plan({})).planned?.action).toBe("noOp");
      // Computed values inside keep their recorded values, also while another attribute changes.
      expect(await planned(one, { label: "x" })).toEqual({ action: "update", after: { label: "x", steps: around(recorded) } });
      // A configured value replaces the default; without it, the default applies again.
      expect((await one.apply({ steps: around({ name: "b", protocol: "udp" }) })).diagnostics).toEqual([]);
      expect(one.state()).toMatchObject({ steps: around({ name: "b", protocol: "udp" }) });
      expect((await one.apply({})).diagnostics).toEqual([]);
      expect(one.state()).toMatchObject({ steps: around(completed) });
      expect((await one.plan({})).planned?.action).toBe("noOp");
    });
  }

  test("of nested attributes apply inside of each other, and may be empty", async ({ expect }) => {
    const inner = nested.list({ size: attr.number({ default: 3 }) }, { default: [{ size: null }, { size: 4 }] });
    const one = await life({
      outer: nested.set({ name: attr.string({ required: true }), inner }, { default: [{ name: "a", inner: null }] }),
      none: nested.map({ a: attr.string({ optional: true }) }, { default: {} }),
      rules: block.set({ from: rule.from, inner }),
    });
    const sizes = [{ size: 3 }, { size: 4 }];
    await one.apply({ rules: [{ from: 1 }, { from: 2, inner: [] }] });
    expect(one.state()).toEqual({
      outer: [{ name: "a", inner: sizes }],
      none: {},
      rules: [
        { from: 1, inner: sizes },
        { from: 2, inner: [] },
      ],
    });
    expect((await one.plan({ rules: [{ from: 1 }, { from: 2, inner: [] }] })).planned?.action).toBe("noOp");
  });

  test("of a nested attribute do not count as configured for plan modifiers", async ({ expect }) => {
    const name = attr.string({ required: true, planModifiers: [requiresReplaceIfConfigured()] });
    const one = await life({ steps: nested.single({ name }, { default: { name: "a" } }) });
    await one.apply({ steps: { name: "b" } });
    expect((await one.plan({})).planned?.action).toBe("update");
    expect((await one.plan({ steps: { name: "c" } })).planned?.action).toBe("replace");
  });

  test("in sets inside the elements of a set leave a second plan empty, although the core does not match the elements", async ({
    expect,
  }) => {
    const grants = nested.set({ on: attr.string({ required: true }), write: attr.bool({ default: false }) }, { optional: true });
    const one = await life({ rules: nested.set({ ...rule, grants }, { optional: true }) });
    const data = { rules: [{ from: 1, grants: [{ on: "x" }, { on: "y", write: true }] }, { from: 2 }] };
    expect((await one.apply(data)).diagnostics).toEqual([]);
    expect((await one.plan(data)).planned?.action).toBe("noOp");
    expect((await one.plan({ rules: [{ from: 1, grants: [{ on: "x" }] }, { from: 2 }] })).planned?.action).toBe("update");
  });

  test("elements of a set keep their recorded values at any position", async ({ expect }) => {
    const kept = { ...rule, id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }) };
    const one = await life({ rules: block.set(kept) });
    await one.apply({ rules: [{ from: 2 }, { from: 5 }] });
    const before = one.state() as { readonly rules: readonly { readonly from: number; readonly id: string }[] };
    const idOf = (from: number): string | undefined => before.rules.find((candidate) => candidate.from === from)?.id;
    expect(await planned(one, { rules: [{ from: 1 }, { from: 5 }, { from: 2 }] })).toEqual({
      action: "update",
      after: {
        rules: [
          // The new element has no recorded value.
          { from: 1, protocol: "tcp", id: Unknown },
          { from: 2, protocol: "tcp", id: idOf(2) },
          { from: 5, protocol: "tcp", id: idOf(5) },
        ],
      },
    });
  });

  test("elements of a set match recorded elements also if computed values change their order", async ({ expect }) => {
    const ids: Readonly<Record<number, string>> = { 1: "z", 2: "a" };
    const named = { a_id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }), from: attr.number({ required: true }) };
    const one = await life(
      { label: attr.string({ optional: true }), rules: nested.set(named, { required: true }) },
      {
        create: ({ planned }: { readonly planned: object }) => {
          const { rules } = planned as { readonly rules: readonly { readonly from: number }[] };
          return { label: null, rules: rules.map(({ from }) => ({ from, a_id: ids[from] })) };
        },
      },
    );
    const rules = [{ from: 1 }, { from: 2 }];
    await one.apply({ rules });
    const state = {
      rules: [
        { a_id: "a", from: 2 },
        { a_id: "z", from: 1 },
      ],
    };
    expect(one.state()).toMatchObject(state);
    expect(await planned(one, { rules, label: "x" })).toEqual({ action: "update", after: { label: "x", ...state } });
  });

  test("do not replace an element with an equivalent recorded one that another matches", async ({ expect }) => {
    const name = attr.string({ default: "one", equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
    const one = await life({ rules: nested.set({ from: rule.from, name }, { required: true }) });
    await one.apply({ rules: [{ from: 1 }] });
    expect(await planned(one, { rules: [{ from: 1, name: "ONE" }, { from: 1 }] })).toEqual({
      action: "update",
      after: {
        rules: [
          { from: 1, name: "ONE" },
          { from: 1, name: "one" },
        ],
      },
    });
  });

  test("that make two elements of a set equal are an error", async ({ expect }) => {
    const { from, protocol } = rule;
    const one = await life({ outer: nested.list({ rules: nested.set({ from, protocol }, { required: true }) }, { optional: true }) });
    const { planned: change, diagnostics } = await one.plan({ outer: [{ rules: [{ from: 1 }, { from: 1, protocol: "udp" }] }] });
    expect(diagnostics).toEqual([]);
    expect(change).toBeDefined();
    expect(texts((await one.plan({ outer: [{ rules: [{ from: 1 }, { from: 1, protocol: "tcp" }] }] })).diagnostics)).toEqual([
      expect.stringContaining("error: Duplicate set element: Two elements of outer[0].rules are equal"),
    ]);
  });

  test("apply in lists, maps and objects of attributes that are set, and not in absent ones", async ({ expect }) => {
    const inner = { a: attr.string({ default: "x" }), b: attr.string({ optional: true }) };
    const one = await life({
      list: nested.list(inner, { optional: true }),
      map: nested.map(inner, { optional: true }),
      single: nested.single(inner, { optional: true }),
      group: block.group(inner),
      object: attr.object({ host: attr.string() }, { default: { host: "h" } }),
    });
    const full = { a: "x", b: null };
    expect(await planned(one, { list: [{}, { a: "y" }], map: { k: {} } })).toEqual({
      action: "create",
      after: { list: [full, { a: "y", b: null }], map: { k: full }, single: null, group: full, object: { host: "h" } },
    });
  });
});

describe("computed values", () => {
  test("become unknown at any depth when an attribute changes, and stay known otherwise", async ({ expect }) => {
    const schema = {
      name: attr.string({ required: true }),
      id: attr.string({ computed: true }),
      both: attr.string({ optional: true, computed: true }),
      parts: nested.list({ label: attr.string({ required: true }), id: attr.string({ computed: true }) }, { optional: true }),
      report: nested.single({ text: attr.string({ computed: true }) }, { computed: true }),
    };
    const one = await life(schema, { create: () => ({ ...same, id: "1" }), update: () => ({ ...same, id: "2" }) });
    const same = { name: "a", both: "b", parts: [{ label: "x", id: "p" }], report: { text: "t" } };
    const data = { name: "a", parts: [{ label: "x" }] };
    await one.apply(data);
    expect(await planned(one, data)).toEqual({ action: "noOp", after: { ...same, id: "1" } });
    expect(await planned(one, { ...data, name: "c" })).toEqual({
      action: "update",
      after: { name: "c", id: Unknown, both: Unknown, parts: [{ label: "x", id: Unknown }], report: Unknown },
    });
  });

  test("exclude write-only values, which are in no plan and no state and cause no change", async ({ expect }) => {
    const one = await life(
      { id: attr.string({ computed: true }), token: attr.string({ required: true, writeOnly: true }) },
      { create: ({ config }: { readonly config: object }) => ({ id: (config as { readonly token: string }).token }) },
    );
    await one.apply({ token: "abc" });
    expect(one.state()).toEqual({ id: "abc", token: null });
    expect((await one.plan({ token: "other" })).planned?.action).toBe("noOp");
  });
});

describe("plan modifiers", () => {
  test("run for inner attributes first; each receives the result of the previous one", async ({ expect }) => {
    const order: string[] = [];
    const note =
      (name: string) =>
      ({ planned }: { readonly planned: unknown }): never => {
        order.push(name);
        return planned as never;
      };
    const shout: PlanModifier<string> = ({ planned }) => (typeof planned === "string" ? `${planned}!` : planned);
    const one = await life({
      outer: nested.single(
        { inner: attr.string({ optional: true, computed: true, planModifiers: [note("inner")] }) },
        { required: true, planModifiers: [note("outer")] },
      ),
      word: attr.string({
        optional: true,
        computed: true,
        planModifiers: [({ planned }) => (isUnknown(planned) ? "hm" : planned), shout],
      }),
    });
    expect(await planned(one, { outer: {} })).toEqual({ action: "create", after: { outer: { inner: Unknown }, word: "hm!" } });
    expect(order.slice(0, 2)).toEqual(["inner", "outer"]);
  });

  test("requiresReplace has no effect on create, or without a change", async ({ expect }) => {
    const one = await life({
      a: attr.string({ required: true, planModifiers: [requiresReplace()] }),
      b: attr.string({ optional: true, computed: true, planModifiers: [requiresReplaceIfConfigured()] }),
      c: attr.string({ optional: true }),
      rules: block.list({ from: attr.number({ required: true, planModifiers: [requiresReplace()] }) }),
    });
    await one.apply({ a: "1", b: "2" });
    expect(await planned(one, { a: "1", b: "2", c: "3" })).toMatchObject({ action: "update" });
    const config = one.config({ a: "1", b: "2", c: "3" });
    const request = {
      typeName: "box_thing",
      config,
      proposedNewState: config,
      priorState: one.object!.value,
      priorPrivate: new Uint8Array(0),
    };
    expect((await one.provider.planResourceChange(request)).requiresReplace).toEqual([]);
    expect(await planned(one, { a: "1", c: "3" })).toMatchObject({ action: "update" });
    expect(await planned(one, { a: "1", b: "3" })).toMatchObject({ action: "replace" });
    expect((await one.plan({ a: "1", b: "2", rules: [{ from: 1 }] })).planned).toMatchObject({ action: "replace" });
  });

  test.for(["list", "set", "map"] as const)(
    "a new element without blocks of a %s does not replace the resource",
    async (nesting, { expect }) => {
      const inner = { from: attr.number({ required: true }) };
      const one = await life({
        rules: block.list({ a: attr.string({ optional: true }), parts: block[nesting](inner, { planModifiers: [requiresReplace()] }) }),
      });
      await one.apply({ rules: [] });
      const added = async (rule: object): Promise<unknown> => {
        const config = one.config({ rules: [rule] });
        const { requiresReplace: paths } = await one.provider.planResourceChange({
          typeName: "box_thing",
          config,
          proposedNewState: config,
          priorState: one.object!.value,
          priorPrivate: new Uint8Array(0),
        });
        return paths.map((path) => formatPath(path));
      };
      expect(await added({ a: "new" })).toEqual([]);
      expect(await added({ parts: nesting === "map" ? { k: { from: 1 } } : [{ from: 1 }] })).toEqual([".rules[0].parts"]);
    },
  );

  test("a replacement inside a set is reported at the set, which the cores can resolve", async ({ expect }) => {
    const port = attr.number({ required: true, planModifiers: [requiresReplace()] });
    const one = await life({
      rules: nested.set(
        { to: nested.single({ ports: nested.list({ port }, { required: true }) }, { required: true }) },
        { optional: true },
      ),
    });
    await one.apply({ rules: [{ to: { ports: [{ port: 1 }] } }] });
    const { planned: change, diagnostics } = await one.plan({ rules: [{ to: { ports: [{ port: 2 }] } }] });
    expect(diagnostics).toEqual([]);
    expect(change).toMatchObject({ action: "replace", requiresReplace: [[{ name: "rules" }]] });
  });

  test("report an error at the attribute if one throws or returns an invalid value", async ({ expect }) => {
    const one = await life({
      a: attr.string({ optional: true, computed: true, planModifiers: [() => 5 as never] }),
      b: attr.list(attr.string(), {
        optional: true,
        planModifiers: [
          () => {
            throw new Error("boom");
          },
        ],
      }),
    });
    expect(texts((await one.plan({})).diagnostics)).toEqual([
      "error: Plan modifier returned an invalid value: a is a number, but must be a string. This is a bug in the provider.",
      "error: Plan modifier failed: The plan modifier of b failed: boom",
    ]);
  });
});

describe("a resource's plan handler", () => {
  test("sets computed values, and requires a replacement", async ({ expect }) => {
    const schema = { name: attr.string({ required: true }), slug: attr.string({ computed: true }) };
    const one = await life(schema, {
      plan: ({ planned, state, set, requireReplace }) => {
        const { name } = planned as { readonly name: string };
        set({ slug: name.toLowerCase() } as never);
        if (state !== null && name.length > 3) requireReplace("name");
      },
    });
    expect(await planned(one, { name: "ABC" })).toEqual({ action: "create", after: { name: "ABC", slug: "abc" } });
    await one.apply({ name: "ABC" });
    expect(await planned(one, { name: "ABC" })).toMatchObject({ action: "noOp" });
    expect(await planned(one, { name: "XYZ" })).toMatchObject({ action: "update" });
    expect(await planned(one, { name: "LONG" })).toMatchObject({ action: "replace", after: { slug: "long" } });
  });

  test("cannot change configured values", async ({ expect }) => {
    const one = await life({ name: attr.string({ required: true }) }, { plan: ({ set }) => set({ name: "other" } as never) });
    expect(texts((await one.plan({ name: "a" })).diagnostics)).toEqual([
      "error: Invalid plan: plan of box_thing: it set name, which the configuration sets to something else. This is a bug in the provider.",
    ]);
  });

  test("can reject a destroy", async ({ expect }) => {
    const one = await life(
      { name: attr.string({ required: true }) },
      { planDestroy: ({ state, error }) => error("name", `${(state as { readonly name: string }).name} is in use`) },
    );
    await one.apply({ name: "a" });
    await expect(one.destroy()).rejects.toThrow("name: a is in use");
  });
});

describe("replaceInstead", () => {
  const schema = {
    name: attr.string({ required: true }),
    tag: attr.string({ optional: true }),
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
  };

  test("replaces the resource on every change of a configured attribute", async ({ expect }) => {
    const one = await life(schema, { update: replaceInstead });
    await one.apply({ name: "a" });
    expect((await one.plan({ name: "a" })).planned?.action).toBe("noOp");
    expect((await one.plan({ name: "b" })).planned).toMatchObject({ action: "replace", requiresReplace: [[{ name: "name" }]] });
    expect((await one.plan({ name: "a", tag: "x" })).planned).toMatchObject({ action: "replace", requiresReplace: [[{ name: "tag" }]] });
  });

  test("replaces the resource also when only computed values change", async ({ expect }) => {
    let version = "1";
    const one = await life(schema, { update: replaceInstead, plan: ({ set }) => set({ id: version } as never) });
    await one.apply({ name: "a" });
    version = "2";
    expect((await one.plan({ name: "a" })).planned).toMatchObject({ action: "replace", requiresReplace: [[{ name: "id" }]] });
  });
});
