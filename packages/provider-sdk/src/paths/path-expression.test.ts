// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { rawResource, planOf, names } from "../../test/rules/raw-resource.ts";
import { texts, Unknown, type Data } from "../../test/resource-life.ts";
import { attr, block, nested, type Schema } from "../index.ts";
import { fromRoot, here } from "../paths/index.ts";
import { requiresReplaceIf, useStateForUnknownUnless, type PlanModifier, type RelatedChange } from "../plan-modifiers/index.ts";
import { atLeastOneOf, conflicting, exactlyOneOf, preferWriteOnly, requiredTogether, requires } from "../rules/index.ts";

const text = attr.string({ optional: true });

test("formats a path expression", ({ expect }) => {
  expect(String(fromRoot("rule").anyIndex().at("from"))).toBe("rule[*].from");
  expect(String(here.parent().parent().at("zone"))).toBe("../../.zone");
  expect(String(fromRoot("tags").atKey("a").at("b"))).toBe('tags["a"].b');
  expect(String(fromRoot("l").atIndex(0))).toBe("l[0]");
  expect(String(here)).toBe(".");
});

describe("rules with path expressions", () => {
  async function validated(schema: Schema, rules: unknown, data: Data): Promise<readonly string[]> {
    const { provider, value } = await rawResource({ schema, rules: rules as never });
    const { diagnostics } = await provider.validateResourceConfig({ typeName: "farm_field", config: value(data) });
    return texts(diagnostics).map((one) => one.replace("error: Invalid combination of attributes: ", ""));
  }
  const deep: Schema = {
    url: text,
    list: nested.list({ a: text, inner: nested.map({ b: text }, { optional: true }) }, { optional: true }),
    set: block.set({ a: text }),
  };

  test("match any element of lists, maps and sets", async ({ expect }) => {
    const inList = [conflicting("url", fromRoot("list").anyIndex().at("a"))];
    expect(await validated(deep, inList, { url: "x", list: [{}, { a: "y" }] })).toEqual([
      "Only one of url and list[*].a can be set, but url and list[1].a are.",
    ]);
    expect(await validated(deep, inList, { url: "x", list: [{}] })).toEqual([]);
    const inMap = [conflicting("url", fromRoot("list").atIndex(0).at("inner").anyKey().at("b"))];
    expect(await validated(deep, inMap, { url: "x", list: [{ inner: { k: { b: "y" } } }] })).toEqual([
      'Only one of url and list[0].inner[*].b can be set, but url and list[0].inner["k"].b are.',
    ]);
    const inSet = [exactlyOneOf("url", fromRoot("set").anyElement().at("a"))];
    expect(await validated(deep, inSet, { set: [{ a: "x" }] })).toEqual([]);
    expect((await validated(deep, inSet, { set: [{ a: "x" }, { a: "y" }] }))[0]).toContain(
      "Exactly one of url and set[*].a must be set, but",
    );
  });

  test("refer from an element to its ancestors", async ({ expect }) => {
    const schema: Schema = {
      url: text,
      list: nested.list({ a: text }, { optional: true, rules: [conflicting("a", here.parent().parent().at("url")) as never] }),
    };
    expect(await validated(schema, [], { url: "x", list: [{}, { a: "y" }] })).toEqual([
      "In list[1]: Only one of a and ../../.url can be set, but a and url are.",
    ]);
  });

  test("refer from an element of a set to the same element and to its ancestors", async ({ expect }) => {
    const rules = [conflicting("a", here.at("b")) as never, conflicting("a", here.parent().parent().at("url")) as never];
    const schema: Schema = { url: text, set: block.set({ a: text, b: text, c: text }, { rules }) };
    const elements = [{ a: "1" }, { b: "2" }, { a: "3", b: "4", c: Unknown }];
    const [first, ...rest] = await validated(schema, [], { set: elements });
    expect([first, rest]).toEqual(["In set[...]: Only one of a and .b can be set, but a and set[...].b are.", []]);
    const toUrl = "In set[...]: Only one of a and ../../.url can be set, but a and url are.";
    for (const element of [elements[0], elements[2]]) {
      expect((await validated(schema, [], { url: "x", set: [element] })).at(-1)).toBe(toUrl);
    }
    expect(await validated(schema, [], { url: "x", set: [elements[1]] })).toEqual([]);
  });

  test("work in every rule about presence, where unknown values pass", async ({ expect }) => {
    const place = fromRoot("list").anyIndex().at("a");
    const all = [atLeastOneOf("url", place), requiredTogether("url", place), requires(place, "url"), exactlyOneOf("url", place)];
    expect(await validated(deep, all, { url: Unknown, list: [{ a: Unknown }] })).toEqual([]);
    expect(await validated(deep, [atLeastOneOf("url", place)], { list: [{}] })).toEqual([
      "At least one of url and list[*].a must be set, but none is.",
    ]);
    expect(await validated(deep, [requiredTogether("url", place)], { url: "x", list: [{}] })).toEqual([
      "Url and list[*].a must be set together, but list[0].a is not.",
    ]);
    expect(await validated(deep, [requires(place, "url")], { list: [{ a: "x" }] })).toEqual(["list[0].a needs url to be set as well."]);
    const secret: Schema = { ...deep, pin: attr.string({ optional: true, writeOnly: true }) };
    expect((await validated(secret, [preferWriteOnly(place, "pin")], { list: [{ a: "x" }] })).length).toBe(0);
  });

  test("are rejected in the definition if they cannot match", async ({ expect }) => {
    const define = (place: typeof here): Promise<unknown> => rawResource({ schema: deep, rules: [conflicting("url", place)] as never });
    await expect(define(fromRoot("nowhere"))).rejects.toThrow('names nowhere: there is no attribute or block "nowhere"');
    await expect(define(fromRoot("list").at("a"))).rejects.toThrow("names list.a: a step into a list must select an element");
    await expect(define(fromRoot("set").anyIndex().at("a"))).rejects.toThrow("a step into a set must select an element");
    await expect(define(fromRoot("url").at("a"))).rejects.toThrow("has no elements or attributes");
    await expect(define(here.parent())).rejects.toThrow("leads above the root");
    await expect(define(fromRoot("list").anyIndex().at("inner").anyKey().at("b"))).resolves.toBeDefined();
  });
});

describe("plan modifiers with path expressions", () => {
  const address = attr.string({ computed: true, planModifiers: [useStateForUnknownUnless(here.parent().at("zone"))] });

  test("useStateForUnknownUnless keeps the recorded value unless the other attribute changes", async ({ expect }) => {
    const resource = await rawResource({ schema: { zone: text, size: text, address } });
    const prior = { zone: "a", size: "1", address: "10.0.0.1" };
    expect(await planOf(resource, { prior, config: { zone: "a", size: "2" } })).toMatchObject({ address: "10.0.0.1" });
    expect(await planOf(resource, { prior, config: { zone: "b", size: "1" } })).toMatchObject({ address: Unknown });
    expect(await planOf(resource, { prior, config: { zone: Unknown, size: "1" } })).toMatchObject({ address: Unknown });
    expect(await planOf(resource, { config: { zone: "a" } })).toMatchObject({ address: Unknown });
  });

  test("in elements of a list return the changes of the same element and of all elements", async ({ expect }) => {
    const seen: (readonly RelatedChange[])[] = [];
    const look: PlanModifier<string> = ({ planned, related }) => {
      seen.push(related(here.parent().at("zone")), related(fromRoot("list").anyIndex().at("zone")));
      return planned;
    };
    const schema = { list: nested.list({ zone: text, a: attr.string({ optional: true, planModifiers: [look] }) }, { optional: true }) };
    const resource = await rawResource({ schema });
    await resource.plan({ prior: { list: [{ zone: "x" }] }, config: { list: [{ zone: "x" }, { zone: "y" }] } });
    const received = seen.map((all) => all.map(({ name, state, planned, changes }) => [name, state, planned, changes]));
    const both = [
      ["list[0].zone", "x", "x", false],
      ["list[1].zone", null, "y", true],
    ];
    expect(received).toEqual([[both[0]], both, [both[1]], both]);
  });

  test("in elements of a set return the changes of the same element and of ancestors", async ({ expect }) => {
    const seen: unknown[] = [];
    const look: PlanModifier<string> = ({ planned, related }) => {
      const about = [here.parent().at("zone"), here.parent().parent().parent().at("size"), fromRoot("size")].flatMap(related);
      seen.push(about.map(({ name, config, state, planned: next, changes }) => [name, config, state, next, changes]));
      return planned;
    };
    const schema: Schema = {
      size: text,
      set: nested.set({ key: text, zone: text, a: attr.string({ optional: true, planModifiers: [look] }) }, { optional: true }),
    };
    const resource = await rawResource({ schema });
    const prior = {
      size: "1",
      set: [
        { key: "k", zone: "x", a: "1" },
        { key: "l", zone: "y", a: "1" },
      ],
    };
    await resource.plan({
      prior,
      config: {
        size: "2",
        set: [
          { key: "l", zone: "y", a: "1" },
          { key: "m", zone: "z" },
        ],
      },
    });
    const size = ["size", "2", "1", "2", true];
    expect(seen).toEqual([
      [["set[...].zone", "y", "y", "y", false], size, size],
      [["set[...].zone", "z", null, "z", true], size, size],
    ]);
    const above: PlanModifier<string> = ({ planned, related }) => (related(here.parent().parent().parent().parent()), planned);
    const lost = await rawResource({
      schema: { set: nested.set({ a: attr.string({ optional: true, planModifiers: [above] }) }, { optional: true }) },
    });
    const { diagnostics } = await lost.plan({ config: { set: [{ a: "1" }] } });
    expect(texts(diagnostics)[0]).toContain("leads above the root");
  });

  test("in a set inside a list inside a set return the changes of all ancestors", async ({ expect }) => {
    const seen: unknown[] = [];
    const look: PlanModifier<string> = ({ planned, related }) => {
      const [inner, list, outer] = [1, 3, 5].map((up) => Array.from({ length: up }).reduce<typeof here>((at) => at.parent(), here));
      seen.push(
        [inner!.at("b"), list!.at("c"), outer!.at("d")].flatMap(related).map(({ name, planned: next }) => `${name} ${String(next)}`),
      );
      return planned;
    };
    const inner = nested.set({ b: text, a: attr.string({ optional: true, planModifiers: [look] }) }, { optional: true });
    const schema: Schema = {
      outer: nested.set({ d: text, list: nested.list({ c: text, inner }, { optional: true }) }, { optional: true }),
    };
    const resource = await rawResource({ schema });
    await resource.plan({ config: { outer: [{ d: "1", list: [{ c: "2", inner: [{ b: "3", a: "4" }] }] }] } });
    expect(seen).toEqual([["outer[...].list[0].inner[...].b 3", "outer[...].list[0].c 2", "outer[...].d 1"]]);
  });

  test("useStateForUnknownUnless keeps the recorded values of set elements", async ({ expect }) => {
    const schema: Schema = { size: text, set: block.set({ key: text, zone: text, address }) };
    const resource = await rawResource({ schema });
    const prior = {
      size: "1",
      set: [
        { key: "k", zone: "a", address: "10.0.0.1" },
        { key: "l", zone: "b", address: "10.0.0.2" },
      ],
    };
    const config = {
      size: "2",
      set: [
        { key: "k", zone: "a" },
        { key: "l", zone: "c" },
      ],
    };
    const { set } = (await planOf(resource, { prior, config })) as { readonly set: readonly Data[] };
    const planned = set.map(({ key, address: known }) => [key, known]).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    expect(planned).toEqual([
      ["k", "10.0.0.1"],
      ["l", Unknown],
    ]);
  });

  test("requiresReplaceIf can depend on another attribute", async ({ expect }) => {
    const ifFixed = requiresReplaceIf<string>(
      ({ related }) => related(fromRoot("fixed")).some(({ config }) => config === true),
      "a fixed resource must be replaced",
    );
    const resource = await rawResource({
      schema: { fixed: attr.bool({ optional: true }), a: attr.string({ optional: true, planModifiers: [ifFixed] }) },
    });
    const replaced = async (fixed: boolean): Promise<readonly string[]> =>
      names((await resource.plan({ prior: { fixed, a: "1" }, config: { fixed, a: "2" } })).requiresReplace);
    expect([await replaced(true), await replaced(false)]).toEqual([["a"], []]);
  });
});
