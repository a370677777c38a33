// SPDX-License-Identifier: Apache-2.0
// Rules 45 to 48: rules for every response. They describe the server of terraform-plugin-framework (internal/fwserver);
// `scripts/mutate/rules` refers to them by number.
import { attributeStep, indexStep, of, type Type } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, defineProvider, createProvider, nested, type Schema } from "../../src/index.ts";
import { toPlain, texts, type Data } from "../resource-life.ts";
import { core, noBytes, rawResource } from "./raw-resource.ts";

const text = attr.string({ optional: true });

test("rule 45: a response is deferred only if the caller supports deferral", async ({ expect }) => {
  const resource = await rawResource({ schema: { a: text }, plan: ({ defer }) => defer("absentPrerequisite") });
  const able = await resource.plan({ config: { a: "x" } });
  expect([able.deferred, able.diagnostics]).toEqual([{ reason: "absentPrerequisite" }, []]);
  const unable = await resource.plan({ config: { a: "x" }, capabilities: { ...core, deferralAllowed: false } });
  expect(unable.deferred).toBeUndefined();
  expect(texts(unable.diagnostics)[0]).toContain("this run cannot defer it");
  const destroying = await rawResource({ schema: { a: text }, planDestroy: ({ defer }) => defer("absentPrerequisite") });
  expect((await destroying.plan({ prior: { a: "x" } })).deferred).toEqual({ reason: "absentPrerequisite" });
});

describe("rule 46", () => {
  const encoder = new TextEncoder();
  const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

  test("rule 46: private data is a JSON object of JSON in base64, and no bytes if there is none", async ({ expect }) => {
    const resource = await rawResource({
      schema: { a: text },
      update: ({ planned, privateState }) => {
        if (planned.a === "store") privateState.set("k", { n: [1] });
        if (planned.a === "clear") privateState.delete("k");
        return planned;
      },
    });
    const update = async (a: string, stored: Uint8Array): Promise<string> => {
      const data = { a };
      const response = await resource.apply({ prior: { a: "x" }, config: data, planned: resource.value(data), private: stored });
      return Buffer.from(response.private).toString();
    };
    const stored = `{"k":"${base64({ n: [1] })}"}`;
    expect(await update("store", noBytes)).toBe(stored);
    expect(await update("leave", encoder.encode(stored))).toBe(stored);
    expect(await update("clear", encoder.encode(stored))).toBe("");
  });

  test("rule 46: refuses names that start with a dot, and drops unreadable data with a warning", async ({ expect }) => {
    const resource = await rawResource({
      schema: { a: text },
      read: ({ state, privateState }) => {
        if (state.a === "reserved") privateState.set(".k", 1);
        return state as never;
      },
    });
    expect(texts((await resource.read({ a: "reserved" })).diagnostics)[0]).toContain('".k" is not a valid private state name');
    const legacy = await resource.read({ a: "x" }, { private: encoder.encode('{"schema_version":"1"}') });
    expect(texts(legacy.diagnostics)[0]).toContain("warning: Private data discarded");
    expect(legacy.private).toEqual(noBytes);
  });
});

describe("rule 47", () => {
  test("rule 47: reports a duplicate diagnostic once", async ({ expect }) => {
    const resource = await rawResource({
      schema: { a: text },
      plan: ({ warn, error }) => {
        for (const _ of [1, 2]) warn("dry");
        for (const _ of [1, 2]) error("a", "wrong");
      },
    });
    expect(texts((await resource.plan({ config: { a: "x" } })).diagnostics)).toEqual(["warning: dry: ", "error: wrong: a: wrong"]);
  });

  test("rule 47: a path ends at a set, because the protocol has no step to a set element", async ({ expect }) => {
    const farm = defineProvider({ name: "farm", version: "1.0.0" });
    const resource = farm.resource("field", {
      schema: { set: nested.set({ a: text }, { optional: true }), list: block.list({ a: text }) },
      create: ({ error, planned }) => {
        error(["set", 0, "a"], "in the set");
        error(["list", 0, "a"], "in the list");
        return planned as never;
      },
      read: () => undefined,
      update: ({ state }) => state,
      delete: () => {},
    });
    const provider = createProvider(farm.with([resource]));
    const { block: body } = (await provider.getProviderSchema({})).resources.get("farm_field")!;
    const type = impliedType(body) as Type;
    const data = of(type, { set: [{ a: "x" }], list: [{ a: "x" }] });
    const request = { typeName: "farm_field", priorState: of(type, null), config: data, plannedState: data, plannedPrivate: noBytes };
    const { diagnostics } = await provider.applyResourceChange(request);
    expect(diagnostics.map(({ attribute }) => attribute)).toEqual([
      [attributeStep("set")],
      [attributeStep("list"), indexStep(0), attributeStep("a")],
    ]);
  });
});

describe("rule 48", () => {
  const caseless = attr.string({ optional: true, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
  const inside = { a: caseless, n: attr.number({ optional: true }) };
  const schema: Schema = {
    a: caseless,
    list: nested.list(inside, { optional: true }),
    map: block.map(inside),
    set: nested.set(inside, { optional: true }),
    one: nested.single(inside, { optional: true }),
    texts: attr.list(attr.string({ equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() }), { optional: true }),
  };
  const reads = async (before: Data, result: Data): Promise<unknown> => {
    const full = { a: null, list: null, map: {}, set: null, one: null, texts: null };
    const resource = await rawResource({ schema, read: () => ({ ...full, ...result }) as never });
    return toPlain((await resource.read({ ...full, ...before })).newState);
  };

  test("rule 48: keeps recorded values that are equivalent, in lists, maps, sets and objects", async ({ expect }) => {
    expect(await reads({ a: "x" }, { a: "X" })).toMatchObject({ a: "x" });
    expect(await reads({ list: [{ a: "x", n: null }] }, { list: [{ a: "X", n: 1 }] })).toMatchObject({ list: [{ a: "x", n: 1 }] });
    expect(await reads({ map: { k: { a: "x", n: null } } }, { map: { k: { a: "X", n: null } } })).toMatchObject({ map: { k: { a: "x" } } });
    expect(await reads({ one: { a: "x", n: null } }, { one: { a: "X", n: 2 } })).toMatchObject({ one: { a: "x", n: 2 } });
    expect(await reads({ texts: ["x", "y"] }, { texts: ["X", "Y"] })).toMatchObject({ texts: ["x", "y"] });
    const set = [
      { a: "x", n: 1 },
      { a: "y", n: 2 },
    ];
    const upperCase = set.map(({ a, n }) => ({ a: a.toUpperCase(), n })).toReversed();
    expect(await reads({ set }, { set: upperCase })).toMatchObject({ set });
  });

  test("rule 48: keeps no recorded value that differs, or that is null", async ({ expect }) => {
    expect(await reads({ a: "x" }, { a: "Z" })).toMatchObject({ a: "Z" });
    expect(await reads({ a: null }, { a: "X" })).toMatchObject({ a: "X" });
    expect(await reads({ list: [{ a: "x", n: 1 }] }, { list: [{ a: "Z", n: 1 }] })).toMatchObject({ list: [{ a: "Z", n: 1 }] });
  });
});
