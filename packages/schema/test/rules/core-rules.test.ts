// SPDX-License-Identifier: Apache-2.0
// Rules 49 to 57: what the cores hold a provider to.
import { attributeStep, nullOf, number, of, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { assertObjectCompatible, assertPlanValid, filterRequiresReplace, formatProblem, proposedNew } from "../../src/change/index.ts";
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
  test("rule 49: what is computed and not configured keeps its prior value", ({ expect }) => {
    const block = createBlock({ attributes: { a: optional, b: chosen, c: computed } });
    const prior = value(block, { a: "1", b: "2", c: "3" });
    expect(proposedNew(block, prior, value(block, { a: null, b: null, c: null }))).toEqual(value(block, { a: null, b: "2", c: "3" }));
    expect(proposedNew(block, prior, value(block, { a: "x", b: "y", c: null }))).toEqual(value(block, { a: "x", b: "y", c: "3" }));
    expect(proposedNew(block, value(block, null), value(block, { a: "x", b: null, c: null }))).toEqual(
      value(block, { a: "x", b: null, c: null }),
    );
  });

  test("rule 49: lists go by position, maps by key, sets by what is configured, each prior element once", ({ expect }) => {
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

  test("rule 49: an element of a set is what became of one configured element at most", ({ expect }) => {
    const block = createBlock({ blocks: { s: createNestedBlock("set", { attributes: { a: optional, b: chosen, c: computed } }) } });
    const prior = value(block, { s: [{ a: "x", b: "1", c: "C" }] });
    const twins = [
      { a: "x", b: null, c: null },
      { a: "x", b: "1", c: null },
    ];
    const { payload } = proposedNew(block, prior, value(block, { s: twins }));
    expect((payload as readonly (readonly unknown[])[])[0]).toHaveLength(2);
  });

  test("rule 49: a nested attribute of the provider's goes once something in it was configured", ({ expect }) => {
    const blockOf = (attributes: Block["attributes"]): Block =>
      createBlock({
        attributes: { n: createAttribute({ nested: createNestedAttributes("single", attributes), optional: true, computed: true }) },
      });
    const own = blockOf({ c: computed });
    expect(proposedNew(own, value(own, { n: { c: "1" } }), value(own, { n: null }))).toEqual(value(own, { n: { c: "1" } }));
    const theirs = blockOf({ c: computed, a: optional });
    expect(proposedNew(theirs, value(theirs, { n: { c: "1", a: "x" } }), value(theirs, { n: null }))).toEqual(value(theirs, { n: null }));
  });
});

test("rule 50: a plan is as configured, or as it was, or the provider's own", ({ expect }) => {
  const block = createBlock({
    attributes: { a: optional, b: chosen, c: computed, w: secret },
    blocks: { l: createNestedBlock("list", { attributes: { a: optional } }) },
  });
  const data = (more: object): Value => value(block, { a: null, b: null, c: null, w: null, l: [], ...more });
  const problems = (prior: Value, config: Value, plan: Value): readonly string[] =>
    assertPlanValid(block, prior, config, plan).map(formatProblem);
  const none = value(block, null);
  expect(problems(none, data({ a: "x", w: "y" }), data({ a: "x", b: "?", c: unknown(string) }))).toEqual([]);
  expect(problems(data({ a: "X" }), data({ a: "x" }), data({ a: "X" }))).toEqual([]);
  expect(problems(none, data({ a: "x" }), none)).toEqual(["planned for absence but config wants existence"]);
  expect(problems(none, none, data({}))).toEqual(["planned for existence but config wants absence"]);
  expect(problems(none, data({}), data({ a: "x" }))).toEqual(['.a: planned value cty.StringVal("x") for a non-computed attribute']);
  expect(problems(none, data({ b: "x" }), data({ b: "y" }))).toEqual([
    '.b: planned value cty.StringVal("y") does not match config value cty.StringVal("x")',
  ]);
  expect(problems(data({ a: "p" }), data({ a: "x" }), data({ a: "y" }))[0]).toContain('nor prior value cty.StringVal("p")');
  expect(problems(none, data({ l: [{ a: "x" }] }), data({}))).toEqual([".l: block count in plan (0) disagrees with count in config (1)"]);
});

describe("rule 51", () => {
  const planning = (answer: Value): Promise<ResourceType> =>
    noteType(({ provider }) => ({
      planResourceChange: async (request) => ({ ...(await provider.planResourceChange(request)), plannedState: answer }),
    }));

  test("rule 51: a plan of another type is the provider's fault, and so is a write-only value in it", async ({ expect }) => {
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

  test("rule 52: only what changes forces replacement, and what may change, and what is write-only", ({ expect }) => {
    expect(filterRequiresReplace(block, data("x", "y"), data("z", "y"), paths)).toEqual({ paths: [paths[0], paths[2]], problems: [] });
    expect(filterRequiresReplace(block, data("x", "y"), data("x", unknown(string)), paths).paths).toEqual([paths[1], paths[2]]);
    expect(filterRequiresReplace(block, value(block, null), data("x", "y"), paths)).toEqual({ paths: [], problems: [] });
    const nowhere = filterRequiresReplace(block, data("x", "y"), data("z", "y"), [[attributeStep("n")]]);
    expect(nowhere.problems.map(({ message }) => message)).toEqual([
      'has indicated "requires replacement" for a non-existent attribute path',
    ]);
  });

  test("rule 52: a replacement is planned again as if nothing existed, with the private data of the first plan", async ({ expect }) => {
    const asked: unknown[] = [];
    const type = await noteType(({ provider }) => ({
      planResourceChange: (request) => {
        const { priorState, priorIdentity, priorPrivate } = request;
        asked.push([priorState.payload === null, priorIdentity !== undefined, new TextDecoder().decode(priorPrivate)]);
        return provider.planResourceChange(request);
      },
    }));
    const note = await created(type, { title: "a" });
    asked.length = 0;
    const plan = await planned(type, noteValue({ title: "a", shelf: "top" }), note);
    expect(plan.action).toBe("replace");
    expect(asked).toEqual([
      [false, true, "applied, planned after "],
      [true, false, "planned after applied, planned after "],
    ]);
  });
});

test("rule 53: the plan is made again before it is applied: an update may prove needless, and nothing else may change", async ({
  expect,
}) => {
  let minds = 0;
  const type = await noteType(({ provider }) => ({
    planResourceChange: async (request) => {
      const answer = await provider.planResourceChange(request);
      return ++minds > 1 ? { ...answer, plannedState: noteValue({ title: "t", id: unknown(string), pages: 7 }) } : answer;
    },
  }));
  const config = noteValue({ title: "t", pages: unknown(number) });
  const plan = await planned(type, config);
  const final = await applyChange(type, plan, { config: noteValue({ title: "t", pages: 5 }), replan: true });
  expect(summaries(final.diagnostics)).toEqual(["Provider produced invalid plan"]);
  minds = 0;
  const steady = await planned(type, noteValue({ title: "t" }));
  const known = { ...steady, after: noteValue({ title: "t", id: unknown(string), pages: 6 }) };
  const differs = await applyChange(type, known, { config: noteValue({ title: "t" }), replan: true });
  expect(summaries(differs.diagnostics)).toEqual(["Provider produced inconsistent final plan"]);
});

describe("rule 54", () => {
  const answering = (answer: (request: Parameters<Provider["applyResourceChange"]>[0]) => object): Promise<ResourceType> =>
    noteType(({ provider }) => ({
      applyResourceChange: async (request) => ({ ...(await provider.applyResourceChange(request)), ...answer(request) }),
    }));
  const apply = async (type: ResourceType): Promise<readonly [unknown, readonly string[]]> => {
    const config = noteValue({ title: "t" });
    const { object, diagnostics } = await applyChange(type, await planned(type, config), { config });
    return [object?.status, summaries(diagnostics)];
  };
  const failed = [{ severity: "error" as const, summary: "No", detail: "" }];

  test("rule 54: what comes of a create is saved as tainted with an error, and what is not there is not", async ({ expect }) => {
    expect(await apply(await answering(() => ({ diagnostics: failed })))).toEqual(["tainted", ["No"]]);
    expect(await apply(await answering(() => ({ diagnostics: failed, newState: noteValue(null) })))).toEqual([undefined, ["No"]]);
  });

  test("rule 54: another type, unknown values, and what was not planned are the provider's faults", async ({ expect }) => {
    expect((await apply(await answering(() => ({ newState: of(string, "x") }))))[1]).toEqual(["Provider produced invalid object"]);
    expect((await apply(await answering(() => ({ newState: noteValue({ title: "t", id: unknown(string), pages: 1 }) }))))[1]).toEqual([
      "Provider returned invalid result object after apply",
    ]);
    expect((await apply(await answering(() => ({ newState: noteValue({ title: "other", id: "1", pages: 1 }) }))))[1]).toEqual([
      "Provider produced inconsistent result after apply",
    ]);
    expect((await apply(await answering(() => ({ newState: noteValue(null) }))))[1]).toContain(
      "Provider produced inconsistent result after apply",
    );
  });

  test("rule 54: a failed update without a state leaves the object as it was, and a delete leaves null", async ({ expect }) => {
    const type = await answering(({ priorState }) =>
      priorState.payload === null ? {} : { diagnostics: failed, newState: noteValue(null) },
    );
    const note = await created(type, { title: "a" });
    const config = noteValue({ title: "b" });
    expect((await applyChange(type, await planned(type, config, note), { config })).object).toBe(note);
    const clinging = await answering(({ priorState, plannedState }) => (plannedState.payload === null ? { newState: priorState } : {}));
    const kept = await created(clinging, { title: "a" });
    const { planned: plan } = await planDestroy(clinging, kept);
    expect(summaries((await applyChange(clinging, plan!)).diagnostics)).toEqual(["Provider returned invalid result object after apply"]);
  });
});

test("rule 55: what was known is the same, what was unknown fits; sets only shrink; secrets are not told", ({ expect }) => {
  const hidden = createAttribute({ type: string, optional: true, sensitive: true });
  const block = createBlock({
    attributes: { a: optional, n: createAttribute({ type: number, optional: true }), hidden },
    blocks: { s: createNestedBlock("set", { attributes: { a: optional } }), l: createNestedBlock("list", { attributes: { a: optional } }) },
  });
  const data = (more: object): Value => value(block, { a: null, n: null, hidden: null, s: [], l: [], ...more });
  const problems = (plan: object, actual: object): readonly string[] =>
    assertObjectCompatible(block, data(plan), data(actual)).map(formatProblem);
  expect(problems({ a: unknown(string), n: 1 }, { a: "x", n: 1 })).toEqual([]);
  expect(problems({ a: "x" }, { a: "y" })).toEqual(['.a: was cty.StringVal("x"), but now cty.StringVal("y")']);
  expect(problems({ n: unknown(number, { notNull: true, min: 3 }) }, { n: 2 })[0]).toContain("does not conform to planning placeholder");
  expect(problems({ s: [{ a: "x" }, { a: unknown(string) }] }, { s: [{ a: "x" }] })).toEqual([]);
  expect(problems({ s: [{ a: "x" }] }, { s: [{ a: "x" }, { a: "y" }] })[0]).toContain("does not correlate with any element in plan");
  expect(problems({ l: [{ a: "x" }] }, { l: [] })).toEqual([".l: block count changed from 1 to 0"]);
  expect(problems({ hidden: "x" }, { hidden: "y" })).toEqual([".hidden: inconsistent values for sensitive attribute"]);
});

describe("rule 56", () => {
  test("rule 56: a read of another type is a fault, and what has drifted is told", async ({ expect }) => {
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

  test("rule 56: a data source answers an object, wholly known", async ({ expect }) => {
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

  test("rule 56: an import is of one resource, of the type that was asked for, which exists", async ({ expect }) => {
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

  test("rule 56: what a newer provider wrote is refused", async ({ expect }) => {
    const stored = { schemaVersion: 3, state: { json: new TextEncoder().encode("{}") }, private: noBytes, status: "ready" as const };
    const type = await noteType();
    expect(summaries((await upgradeObject(type, stored)).diagnostics)).toEqual(["Resource instance managed by newer provider version"]);
    const state = { json: new TextEncoder().encode('{"title":"t"}') };
    const identity = new TextEncoder().encode('{"id":"1"}');
    const newer = { ...stored, schemaVersion: 2, state, identity, identitySchemaVersion: 2 };
    expect(summaries((await upgradeObject(type, newer)).diagnostics)).toEqual(["Resource identity managed by newer provider version"]);
  });
});

test("rule 57: a provider on the old SDK is told of, and tolerated", async ({ expect }) => {
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
