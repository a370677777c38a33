// SPDX-License-Identifier: Apache-2.0
// Rules 49 to 57: the rules that the cores check for a provider.
import { attributeStep, nullOf, number, of, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import {
  assertObjectCompatible,
  assertPlanValid,
  filterRequiresReplace,
  formatRuleViolation,
  proposedNew,
} from "../../src/change/index.ts";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock, impliedType, type Block } from "../../src/index.ts";
import {
  applyChange,
  importObject,
  planChange,
  planDestroy,
  readDataSource,
  readObject,
  dataSourceType,
  resourceType,
  upgradeObject,
  type PlannedChange,
  type ResourceObject,
  type ResourceType,
} from "../../src/lifecycle/index.ts";
import type { Diagnostic, Provider } from "../../src/index.ts";
import { createNotebook, noteValue, replacing, wordSchema, type Notebook } from "../notebook-provider.ts";

const optional = createAttribute({ type: string, optional: true });
const computed = createAttribute({ type: string, computed: true });
const chosen = createAttribute({ type: string, optional: true, computed: true });
const secret = createAttribute({ type: string, optional: true, writeOnly: true });
const value = (block: Block, data: unknown): Value => of<Type>(impliedType(block), data ?? null);
const noBytes = new Uint8Array();

async function noteType(parts: (notebook: Notebook) => Partial<Provider> = () => ({})): Promise<ResourceType> {
  const notebook = createNotebook();
  return resourceType(replacing(notebook.provider, parts(notebook)), "note");
}
const summaries = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ summary }) => summary);
async function planned(type: ResourceType, config: Value, prior?: ResourceObject): Promise<PlannedChange> {
  const outcome = await planChange(type, { config, prior });
  if (outcome.planned === undefined) throw new Error(JSON.stringify(outcome.diagnostics));
  return outcome.planned;
}
async function created(type: ResourceType, data: Parameters<typeof noteValue>[0]): Promise<ResourceObject> {
  const config = noteValue(data);
  return (await applyChange(type, await planned(type, config), { config })).object!;
}

describe("rule 49", () => {
  test("rule 49: computed attributes that are not configured keep their prior values", ({ expect }) => {
    const block = createBlock({ attributes: { a: optional, b: chosen, c: computed } });
    const prior = value(block, { a: "1", b: "2", c: "3" });
    expect(proposedNew(block, prior, value(block, { a: null, b: null, c: null }))).toEqual(value(block, { a: null, b: "2", c: "3" }));
    expect(proposedNew(block, prior, value(block, { a: "x", b: "y", c: null }))).toEqual(value(block, { a: "x", b: "y", c: "3" }));
    expect(proposedNew(block, value(block, null), value(block, { a: "x", b: null, c: null }))).toEqual(
      value(block, { a: "x", b: null, c: null }),
    );
  });

  test("rule 49: lists are correlated by position, maps by key, sets by configured attributes, each prior element once", ({ expect }) => {
    const inside = { attributes: { a: optional, c: computed } };
    const block = createBlock({
      blocks: { l: createNestedBlock("list", inside), m: createNestedBlock("map", inside), s: createNestedBlock("set", inside) },
    });
    const elements = (...names: readonly string[]): readonly object[] => names.map((a) => ({ a, c: `of ${a}` }));
    const bare = (...names: readonly string[]): readonly object[] => names.map((a) => ({ a, c: null }));
    const prior = value(block, { l: elements("x", "y"), m: { k: { a: "x", c: "k" } }, s: elements("x", "y") });
    const config = value(block, { l: bare("z", "y", "n"), m: { k: { a: "z", c: null }, n: { a: "z", c: null } }, s: bare("y", "n") });
    expect(proposedNew(block, prior, config)).toEqual(
      value(block, {
        l: [{ a: "z", c: "of x" }, { a: "y", c: "of y" }, ...bare("n")],
        m: { k: { a: "z", c: "k" }, n: { a: "z", c: null } },
        s: [...elements("y"), ...bare("n")],
      }),
    );
  });

  test("rule 49: a prior set element is correlated with at most one configured element", ({ expect }) => {
    const block = createBlock({ blocks: { s: createNestedBlock("set", { attributes: { a: optional, b: chosen, c: computed } }) } });
    const prior = value(block, { s: [{ a: "x", b: "1", c: "C" }] });
    const twins = [
      { a: "x", b: null, c: null },
      { a: "x", b: "1", c: null },
    ];
    const { payload } = proposedNew(block, prior, value(block, { s: twins }));
    expect((payload as readonly (readonly unknown[])[])[0]).toHaveLength(2);
  });

  test("rule 49: a computed nested attribute becomes null if a value in it must have been configured", ({ expect }) => {
    const blockOf = (attributes: Block["attributes"]): Block =>
      createBlock({
        attributes: { n: createAttribute({ nested: createNestedAttributes("single", attributes), optional: true, computed: true }) },
      });
    const own = blockOf({ c: computed });
    expect(proposedNew(own, value(own, { n: { c: "1" } }), value(own, { n: null }))).toEqual(value(own, { n: { c: "1" } }));
    const configurable = blockOf({ c: computed, a: optional });
    expect(proposedNew(configurable, value(configurable, { n: { c: "1", a: "x" } }), value(configurable, { n: null }))).toEqual(
      value(configurable, { n: null }),
    );
  });
});

test("rule 50: a planned value is the configured, the prior or a computed value", ({ expect }) => {
  const block = createBlock({
    attributes: { a: optional, b: chosen, c: computed, w: secret },
    blocks: { l: createNestedBlock("list", { attributes: { a: optional } }) },
  });
  const data = (more: object): Value => value(block, { a: null, b: null, c: null, w: null, l: [], ...more });
  const violations = (prior: Value, config: Value, plan: Value): readonly string[] =>
    assertPlanValid(block, prior, config, plan).map(formatRuleViolation);
  const none = value(block, null);
  expect(violations(none, data({ a: "x", w: "y" }), data({ a: "x", b: "?", c: unknown(string) }))).toEqual([]);
  expect(violations(data({ a: "X" }), data({ a: "x" }), data({ a: "X" }))).toEqual([]);
  expect(violations(none, data({ a: "x" }), none)).toEqual(["planned for absence but config wants existence"]);
  expect(violations(none, none, data({}))).toEqual(["planned for existence but config wants absence"]);
  expect(violations(none, data({}), data({ a: "x" }))).toEqual(['.a: planned value cty.StringVal("x") for a non-computed attribute']);
  expect(violations(none, data({ b: "x" }), data({ b: "y" }))).toEqual([
    '.b: planned value cty.StringVal("y") does not match config value cty.StringVal("x")',
  ]);
  expect(violations(data({ a: "p" }), data({ a: "x" }), data({ a: "y" }))[0]).toContain('nor prior value cty.StringVal("p")');
  expect(violations(none, data({ l: [{ a: "x" }] }), data({}))).toEqual([".l: block count in plan (0) disagrees with count in config (1)"]);
});

describe("rule 51", () => {
  const planning = (plannedState: Value): Promise<ResourceType> =>
    noteType(({ provider }) => ({
      planResourceChange: async (request) => ({ ...(await provider.planResourceChange(request)), plannedState }),
    }));

  test("rule 51: a plan of another type or with a write-only value is a fault of the provider", async ({ expect }) => {
    const other = await planChange(await planning(of(string, "x")), { config: noteValue({}) });
    expect([other.planned, summaries(other.diagnostics)]).toEqual([undefined, ["Provider produced invalid plan"]]);
    const leaking = await planChange(await planning(noteValue({ pin: "1" })), { config: noteValue({ pin: "1" }) });
    expect([leaking.planned, summaries(leaking.diagnostics)]).toEqual([undefined, ["Invalid provider response"]]);
  });

  test("rule 51: a destroy is planned as null", async ({ expect }) => {
    const note = await created(await noteType(), { title: "a" });
    const outcome = await planDestroy(await planning(noteValue({ title: "a" })), note);
    expect([outcome.planned, summaries(outcome.diagnostics)]).toEqual([undefined, ["Provider produced invalid plan"]]);
  });
});

describe("rule 52", () => {
  const block = createBlock({ attributes: { a: optional, b: optional, w: secret } });
  const data = (a: unknown, b: unknown): Value => value(block, { a, b, w: null });
  const paths = ["a", "b", "w"].map((name) => [attributeStep(name)]);

  test("rule 52: only values that change or may change, and write-only attributes, force replacement", ({ expect }) => {
    expect(filterRequiresReplace(block, data("x", "y"), data("z", "y"), paths)).toEqual({ paths: [paths[0], paths[2]], violations: [] });
    expect(filterRequiresReplace(block, data("x", "y"), data("x", unknown(string)), paths).paths).toEqual([paths[1], paths[2]]);
    expect(filterRequiresReplace(block, value(block, null), data("x", "y"), paths)).toEqual({ paths: [], violations: [] });
    const nowhere = filterRequiresReplace(block, data("x", "y"), data("z", "y"), [[attributeStep("n")]]);
    expect(nowhere.violations.map(({ message }) => message)).toEqual([
      'has indicated "requires replacement" for a non-existent attribute path',
    ]);
  });

  test("rule 52: a replacement is planned again without a prior state, with the private data of the first plan", async ({ expect }) => {
    const requests: unknown[] = [];
    const type = await noteType(({ provider }) => ({
      planResourceChange: (request) => {
        const { priorState, priorIdentity, priorPrivate } = request;
        requests.push([priorState.payload === null, priorIdentity !== undefined, new TextDecoder().decode(priorPrivate)]);
        return provider.planResourceChange(request);
      },
    }));
    const note = await created(type, { title: "a" });
    requests.length = 0;
    const plan = await planned(type, noteValue({ title: "a", shelf: "top" }), note);
    expect(plan.action).toBe("replace");
    expect(requests).toEqual([
      [false, true, "applied, planned after "],
      [true, false, "planned after applied, planned after "],
    ]);
  });
});

test("rule 53: the second plan before an apply may turn an update into a no-op, and must not differ otherwise", async ({ expect }) => {
  let planCount = 0;
  const type = await noteType(({ provider }) => ({
    planResourceChange: async (request) => {
      const response = await provider.planResourceChange(request);
      return ++planCount > 1 ? { ...response, plannedState: noteValue({ title: "t", id: unknown(string), pages: 7 }) } : response;
    },
  }));
  const config = noteValue({ title: "t", pages: unknown(number) });
  const plan = await planned(type, config);
  const final = await applyChange(type, plan, { config: noteValue({ title: "t", pages: 5 }), replan: true });
  expect(summaries(final.diagnostics)).toEqual(["Provider produced invalid plan"]);
  planCount = 0;
  const steady = await planned(type, noteValue({ title: "t" }));
  const known = { ...steady, after: noteValue({ title: "t", id: unknown(string), pages: 6 }) };
  const differs = await applyChange(type, known, { config: noteValue({ title: "t" }), replan: true });
  expect(summaries(differs.diagnostics)).toEqual(["Provider produced inconsistent final plan"]);
});

describe("rule 54", () => {
  const applying = (change: (request: Parameters<Provider["applyResourceChange"]>[0]) => object): Promise<ResourceType> =>
    noteType(({ provider }) => ({
      applyResourceChange: async (request) => ({ ...(await provider.applyResourceChange(request)), ...change(request) }),
    }));
  const apply = async (type: ResourceType): Promise<readonly [unknown, readonly string[]]> => {
    const config = noteValue({ title: "t" });
    const { object, diagnostics } = await applyChange(type, await planned(type, config), { config });
    return [object?.status, summaries(diagnostics)];
  };
  const failed = [{ severity: "error" as const, summary: "No", detail: "" }];

  test("rule 54: a failed create saves its object as tainted, and saves nothing without an object", async ({ expect }) => {
    expect(await apply(await applying(() => ({ diagnostics: failed })))).toEqual(["tainted", ["No"]]);
    expect(await apply(await applying(() => ({ diagnostics: failed, newState: noteValue(null) })))).toEqual([undefined, ["No"]]);
  });

  test("rule 54: results of another type, unknown values and unplanned values are faults of the provider", async ({ expect }) => {
    expect((await apply(await applying(() => ({ newState: of(string, "x") }))))[1]).toEqual(["Provider produced invalid object"]);
    expect((await apply(await applying(() => ({ newState: noteValue({ title: "t", id: unknown(string), pages: 1 }) }))))[1]).toEqual([
      "Provider returned invalid result object after apply",
    ]);
    expect((await apply(await applying(() => ({ newState: noteValue({ title: "other", id: "1", pages: 1 }) }))))[1]).toEqual([
      "Provider produced inconsistent result after apply",
    ]);
    expect((await apply(await applying(() => ({ newState: noteValue(null) }))))[1]).toContain(
      "Provider produced inconsistent result after apply",
    );
  });

  test("rule 54: a failed update without a state keeps the prior object, and a delete must return null", async ({ expect }) => {
    const type = await applying(({ priorState }) =>
      priorState.payload === null ? {} : { diagnostics: failed, newState: noteValue(null) },
    );
    const note = await created(type, { title: "a" });
    const config = noteValue({ title: "b" });
    expect((await applyChange(type, await planned(type, config, note), { config })).object).toBe(note);
    const notDeleting = await applying(({ priorState, plannedState }) => (plannedState.payload === null ? { newState: priorState } : {}));
    const kept = await created(notDeleting, { title: "a" });
    const { planned: plan } = await planDestroy(notDeleting, kept);
    expect(summaries((await applyChange(notDeleting, plan!)).diagnostics)).toEqual(["Provider returned invalid result object after apply"]);
  });
});

test("rule 55: known values are unchanged, unknown values fit their refinements, sets only shrink, sensitive values are hidden", ({
  expect,
}) => {
  const hidden = createAttribute({ type: string, optional: true, sensitive: true });
  const block = createBlock({
    attributes: { a: optional, n: createAttribute({ type: number, optional: true }), hidden },
    blocks: { s: createNestedBlock("set", { attributes: { a: optional } }), l: createNestedBlock("list", { attributes: { a: optional } }) },
  });
  const data = (more: object): Value => value(block, { a: null, n: null, hidden: null, s: [], l: [], ...more });
  const violations = (plan: object, actual: object): readonly string[] =>
    assertObjectCompatible(block, data(plan), data(actual)).map(formatRuleViolation);
  expect(violations({ a: unknown(string), n: 1 }, { a: "x", n: 1 })).toEqual([]);
  expect(violations({ a: "x" }, { a: "y" })).toEqual(['.a: was cty.StringVal("x"), but now cty.StringVal("y")']);
  expect(violations({ n: unknown(number, { notNull: true, min: 3 }) }, { n: 2 })[0]).toContain("does not conform to planning placeholder");
  expect(violations({ s: [{ a: "x" }, { a: unknown(string) }] }, { s: [{ a: "x" }] })).toEqual([]);
  expect(violations({ s: [{ a: "x" }] }, { s: [{ a: "x" }, { a: "y" }] })[0]).toContain("does not correlate with any element in plan");
  expect(violations({ l: [{ a: "x" }] }, { l: [] })).toEqual([".l: block count changed from 1 to 0"]);
  expect(violations({ hidden: "x" }, { hidden: "y" })).toEqual([".hidden: inconsistent values for sensitive attribute"]);
});

describe("rule 56", () => {
  test("rule 56: a read of another type is a fault, and drift is reported", async ({ expect }) => {
    const good = await noteType();
    const note = await created(good, { title: "a" });
    const wrong = await noteType(() => ({
      readResource: () => Promise.resolve({ newState: of(string, "x"), private: noBytes, diagnostics: [] }),
    }));
    const read = await readObject(wrong, note);
    expect([read.object, summaries(read.diagnostics)]).toEqual([note, ["Provider produced invalid object"]]);
    const drifted = noteValue({ title: "b", id: "note-1", pages: 1 });
    const other = await noteType(() => ({ readResource: () => Promise.resolve({ newState: drifted, private: noBytes, diagnostics: [] }) }));
    expect((await readObject(other, note)).drift.map(({ message }) => message)).toEqual([
      'was cty.StringVal("a"), but now cty.StringVal("b")',
    ]);
  });

  test("rule 56: a data source returns a wholly known object", async ({ expect }) => {
    const word = impliedType(wordSchema.block);
    const read = async (state: Value): Promise<readonly string[]> => {
      const provider = replacing(createNotebook().provider, {
        readDataSource: () => Promise.resolve({ state, diagnostics: [] }),
        validateDataResourceConfig: () => Promise.resolve({ diagnostics: [] }),
      } as never);
      const type = await dataSourceType(provider, "word");
      return summaries((await readDataSource(type, of<Type>(word, { of: "a", word: null }))).diagnostics);
    };
    expect(await read(of<Type>(word, { of: "a", word: "b" }))).toEqual([]);
    expect(await read(nullOf(word))).toEqual(["Provider produced null object"]);
    expect(await read(of<Type>(word, { of: "a", word: unknown(string) }))).toEqual(["Provider produced invalid object"]);
    expect(await read(of(string, "x"))).toEqual(["Provider produced invalid object"]);
  });

  test("rule 56: an import returns one existing resource of the requested type", async ({ expect }) => {
    const imported = (state: Value, typeName = "note"): object => ({ typeName, state, private: noBytes });
    const importing = async (...resources: readonly object[]): Promise<readonly string[]> => {
      const type = await noteType(() => ({
        importResourceState: () => Promise.resolve({ importedResources: resources as never, diagnostics: [] }),
      }));
      return summaries((await importObject(type, { id: "note-9" })).diagnostics);
    };
    const note = noteValue({ id: "note-9" });
    expect(await importing()).toEqual(["Import returned no resources"]);
    expect(await importing(imported(note), imported(note))).toEqual(["Multiple import states not supported"]);
    expect(await importing(imported(note, "page"))).toEqual(["Import returned another resource type"]);
    expect(await importing(imported(noteValue(null)))).toEqual(["Import returned null resource"]);
    expect(await importing(imported(note))).toEqual(["Cannot import non-existent remote object"]);
  });

  test("rule 56: a state or identity of a newer schema version is refused", async ({ expect }) => {
    const stored = { schemaVersion: 3, state: { json: new TextEncoder().encode("{}") }, private: noBytes, status: "ready" as const };
    const type = await noteType();
    expect(summaries((await upgradeObject(type, stored)).diagnostics)).toEqual(["Resource instance managed by newer provider version"]);
    const state = { json: new TextEncoder().encode('{"title":"t"}') };
    const identity = new TextEncoder().encode('{"id":"1"}');
    const newer = { ...stored, schemaVersion: 2, state, identity, identitySchemaVersion: 2 };
    expect(summaries((await upgradeObject(type, newer)).diagnostics)).toEqual(["Resource identity managed by newer provider version"]);
  });
});

test("rule 57: violations of a provider on the legacy SDK are tolerated and passed to the observer", async ({ expect }) => {
  const tolerated: string[] = [];
  const observer = { onTolerated: (message: string) => void tolerated.push(message) };
  const type = await noteType(({ provider }) => ({
    planResourceChange: async (request) => ({
      ...(await provider.planResourceChange(request)),
      plannedState: noteValue({ title: "other", id: unknown(string), pages: 1 }),
      legacyTypeSystem: true,
    }),
    applyResourceChange: async (request) => ({
      ...(await provider.applyResourceChange(request)),
      newState: noteValue({ title: "third", id: "1", pages: 1 }),
      legacyTypeSystem: true,
    }),
  }));
  const config = noteValue({ title: "t" });
  const plan = await planChange(type, { config, observer });
  expect(plan.diagnostics).toEqual([]);
  const { diagnostics } = await applyChange(type, plan.planned!, { config, observer });
  expect(diagnostics).toEqual([]);
  expect(tolerated).toHaveLength(2);
});
