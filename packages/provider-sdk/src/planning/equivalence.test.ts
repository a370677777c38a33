// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { attr, defineProvider, nested, type Schema } from "../index.ts";
import type { ResourceDefinition } from "../definition/index.ts";
import { toPlain, startLife, type ResourceLife } from "../../test/resource-life.ts";

const box = defineProvider({ name: "box", version: "1.0.0" });
const caseless = attr.string({ required: true, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
const schema = {
  name: caseless,
  list: nested.list({ name: caseless }, { optional: true }),
  set: nested.set({ name: caseless, size: attr.number({ optional: true }) }, { optional: true }),
  map: nested.map({ name: caseless }, { optional: true }),
};

/** A resource whose remote system converts every name to upper case. */
function life(): Promise<ResourceLife> {
  const upperCased = (value: unknown, name?: string): unknown => {
    if (typeof value === "string") return name === "name" ? value.toUpperCase() : value;
    if (Array.isArray(value)) return value.map((one) => upperCased(one));
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, upperCased(one, key)]))
      : value;
  };
  const definition = {
    schema,
    create: ({ planned }: { readonly planned: object }) => upperCased(planned),
    update: ({ planned }: { readonly planned: object }) => upperCased(planned),
    read: ({ state }: { readonly state: object }) => upperCased(state),
    delete: () => {},
  };
  return startLife(box.with([box.resource("thing", definition as ResourceDefinition<undefined, Schema, string>)]), "box_thing", null);
}

describe("equivalent values", () => {
  const data = { name: "a", list: [{ name: "b" }], set: [{ name: "c", size: 1 }, { name: "d" }], map: { k: { name: "e" } } };

  test("keep the planned or recorded value when a handler returns another", async ({ expect }) => {
    const one = await life();
    expect((await one.apply(data)).diagnostics).toEqual([]);
    const state = {
      ...data,
      set: [
        { name: "c", size: 1 },
        { name: "d", size: null },
      ],
    };
    expect(one.state()).toEqual(state);
    await one.refresh();
    expect(one.state()).toEqual(state);
    expect((await one.plan(data)).planned?.action).toBe("noOp");
  });

  test("are kept one by one in lists, maps and objects with other changes", async ({ expect }) => {
    const name = attr.string({ equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
    const some = attr.object({ names: attr.list(name), sizes: attr.map(name), all: attr.set(name) }, { optional: true });
    const found = { some: { names: ["A", "X"], sizes: { a: "B", x: "Y" }, all: ["C", "Z"] } };
    const definition = {
      schema: { some },
      create: ({ planned }: { readonly planned: object }) => planned,
      read: () => found,
      update: () => found,
      delete: () => {},
    };
    const one = await startLife(
      box.with([box.resource("thing", definition as unknown as ResourceDefinition<undefined, Schema, string>)]),
      "box_thing",
      null,
    );
    await one.apply({ some: { names: ["a", "b"], sizes: { a: "b" }, all: ["c"] } });
    await one.refresh();
    expect(one.state()).toEqual({ some: { names: ["a", "X"], sizes: { a: "b", x: "Y" }, all: ["Z", "c"] } });
  });

  test("are matched in set elements that were partly unknown", async ({ expect }) => {
    const part = { name: caseless, id: attr.string({ computed: true }) };
    const definition = {
      schema: { parts: nested.set(part, { optional: true }) },
      create: () => ({
        parts: [
          { name: "A", id: "1" },
          { name: "B", id: "2" },
        ],
      }),
      read: ({ state }: { readonly state: object }) => state,
      update: () => undefined,
      delete: () => {},
    };
    const one = await startLife(
      box.with([box.resource("thing", definition as unknown as ResourceDefinition<undefined, Schema, string>)]),
      "box_thing",
      null,
    );
    expect((await one.apply({ parts: [{ name: "a" }, { name: "b" }] })).diagnostics).toEqual([]);
    expect(one.state()).toEqual({
      parts: [
        { name: "a", id: "1" },
        { name: "b", id: "2" },
      ],
    });
  });

  test("are matched in set elements that also fit another element", async ({ expect }) => {
    const part = { name: caseless, id: attr.string({ computed: true }), kept: attr.bool({ optional: true, computed: true }) };
    const definition = {
      schema: { parts: nested.set(part, { optional: true }) },
      // The first element fits both planned elements, the second one of them only.
      create: () => ({
        parts: [
          { name: "one", id: "1", kept: false },
          { name: "one", id: "2", kept: true },
        ],
      }),
      read: ({ state }: { readonly state: object }) => state,
      update: () => undefined,
      delete: () => {},
    };
    const one = await startLife(
      box.with([box.resource("thing", definition as unknown as ResourceDefinition<undefined, Schema, string>)]),
      "box_thing",
      null,
    );
    expect((await one.apply({ parts: [{ name: "One" }, { name: "ONE", kept: false }] })).diagnostics).toEqual([]);
    expect(one.state()).toEqual({
      parts: [
        { name: "ONE", id: "1", kept: false },
        { name: "One", id: "2", kept: true },
      ],
    });
  });

  test("cause no change when the configuration sets another equivalent value", async ({ expect }) => {
    const one = await life();
    await one.apply(data);
    const other = { name: "A", list: [{ name: "B" }], set: [{ name: "C", size: 1 }, { name: "D" }], map: { k: { name: "E" } } };
    expect((await one.plan(other)).planned?.action).toBe("noOp");
    const { planned } = await one.plan({ ...other, name: "x" });
    expect(planned?.action).toBe("update");
    expect(toPlain(planned!.after)).toMatchObject({ name: "x", list: [{ name: "b" }], map: { k: { name: "e" } } });
  });

  test("cause a change if they are not equivalent", async ({ expect }) => {
    const one = await life();
    await one.apply(data);
    await one.apply({ ...data, name: "b", set: [{ name: "C", size: 2 }] });
    expect(one.state()).toMatchObject({ name: "b", set: [{ name: "C", size: 2 }] });
  });
});
