// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { toPlain, startLife, texts, Unknown, type ResourceLife } from "../../../test/resource-life.ts";
import type { PlanContext } from "../../index.ts";
import { attr, block, defineProvider, nested } from "../../index.ts";
import { useStateForUnknown } from "../../plan-modifiers/index.ts";

const schema = {
  id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
  name: attr.string({ required: true }),
  size: attr.number({ optional: true, computed: true }),
  sum: attr.string({ computed: true }),
  parts: nested.list({ key: attr.string({ required: true }), weight: attr.number({ optional: true, computed: true }) }, { optional: true }),
  labels: attr.map(attr.string(), { optional: true, computed: true }),
  tags: nested.set({ key: attr.string({ required: true }) }, { optional: true }),
  lock: block.single({ by: attr.string({ optional: true, computed: true }) }),
};

const depot = defineProvider({ name: "depot", version: "1.0.0" });

function life(plan: (context: PlanContext<undefined, typeof schema>) => void): Promise<ResourceLife> {
  let made = 0;
  const crate = depot.resource("crate", {
    schema,
    plan,
    create: ({ planned }) => complete(planned, String(++made)),
    update: ({ planned, state }) => complete(planned, state.id),
    read: ({ state }) => state as never,
    delete: () => {},
  });
  return startLife(depot.with([crate]), "depot_crate", null);
}

/** The planned state, with a value in place of every unknown value. */
function complete(planned: object, id: string): never {
  const known = (part: unknown): unknown => {
    if (typeof part === "symbol") return null;
    if (Array.isArray(part)) return part.map(known);
    return typeof part === "object" && part !== null
      ? Object.fromEntries(Object.entries(part).map(([key, one]) => [key, known(one)]))
      : part;
  };
  const { size, labels, ...rest } = known(planned) as { readonly size: number | null; readonly labels: object | null };
  return { ...rest, labels: labels ?? {}, size: size ?? 1, id, sum: `sum of ${size ?? 1}` } as never;
}

describe("plan", () => {
  test("makes computed attributes unknown again when it changes a value of a plan without a change", async ({ expect }) => {
    let size: number | undefined;
    const one = await life(({ set }) => size !== undefined && set({ size }));
    await one.apply({ name: "a" });
    expect((await one.plan({ name: "a" })).planned?.action).toBe("noOp");
    size = 5;
    const { planned } = await one.plan({ name: "a" });
    expect(planned?.action).toBe("update");
    expect(toPlain(planned!.after)).toMatchObject({ id: "1", size: 5, sum: Unknown });
    expect(texts((await one.apply({ name: "a" })).diagnostics)).toEqual([]);
    expect(one.state()).toMatchObject({ id: "1", size: 5, sum: "sum of 5" });
  });

  test("sets values inside attributes and blocks", async ({ expect }) => {
    const one = await life(({ set }) => {
      set("size", 2);
      set(["parts", 1, "weight"], 7);
      set(["lock", "by"], "me");
    });
    const { planned, diagnostics } = await one.plan({ name: "a", parts: [{ key: "x" }, { key: "y" }], lock: {} });
    expect(texts(diagnostics)).toEqual([]);
    expect(toPlain(planned!.after)).toMatchObject({
      size: 2,
      parts: [
        { key: "x", weight: Unknown },
        { key: "y", weight: 7 },
      ],
      lock: { by: "me" },
    });
  });

  test.for<readonly [string, readonly [string, ...(string | number)[]], unknown, string]>([
    ["a configured attribute", ["parts", 0, "key"], "other", "parts[0].key, which the configuration sets to something else"],
    ["an element of a set", ["tags", 0, "key"], "other", "which is inside a set, whose elements have no keys: set the whole set"],
    ["an element that does not exist", ["parts", 9, "weight"], 1, "parts[9].weight, which does not exist"],
    ["a part of an unknown value", ["labels", "a"], "x", "which is inside a null or unknown value"],
    ["a value of another type", ["parts", 0, "weight"], "heavy", "parts[0].weight, which is a string, but must be a number"],
  ])("refuses to set %s", async ([, path, value, message], { expect }) => {
    const one = await life(({ set }) => set(path as never, value));
    const { diagnostics } = await one.plan({ name: "a", parts: [{ key: "x" }], tags: [{ key: "t" }] });
    expect(texts(diagnostics)).toEqual([expect.stringContaining(message)]);
  });

  test("reports a warning at an attribute", async ({ expect }) => {
    const one = await life(({ warn }) => {
      warn("Heavy", "It is heavy.", ["parts", 0, "weight"]);
      warn("Slow");
    });
    const { diagnostics } = await one.plan({ name: "a", parts: [{ key: "x" }] });
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "Heavy", detail: "It is heavy.", attribute: [{ name: "parts" }, {}, { name: "weight" }] },
      { severity: "warning", summary: "Slow" },
    ]);
    expect(diagnostics[1]).not.toHaveProperty("attribute.0");
  });
});
