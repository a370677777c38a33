// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { nullOf, number, object, of, string, unknown, type Value } from "@tenon/cty";
import { impliedType, type Diagnostic, type Provider } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { configOf, texts, type Data } from "../../test/resource-life.ts";
import { attr, createProvider, defineProvider, importById, type PlanModifier } from "../index.ts";
import { createLog, silent } from "../logger.ts";
import { ServedInstance } from "../server/served-instance.ts";
import { brokenRules } from "./answer-check.ts";

const farm = defineProvider({ name: "farm", version: "1.0.0" });
const noBytes = new Uint8Array(0);
const wilful: PlanModifier<string> = () => "wilful";

const field = farm.resource("field", {
  schema: {
    title: attr.string({ optional: true }),
    fixed: attr.string({ optional: true, planModifiers: [wilful] }),
    pin: attr.string({ optional: true, sensitive: true }),
  },
  create: ({ planned }) => ({ ...planned, title: "another", pin: `${planned.pin}!` }),
  read: () => undefined,
  update: ({ planned }) => planned,
  delete: () => {},
});

async function asked(
  provider: Provider,
  data: Data,
): Promise<{ readonly plan: readonly Diagnostic[]; readonly apply: readonly Diagnostic[] }> {
  const typeName = "farm_field";
  const { block } = (await provider.getProviderSchema({})).resources.get(typeName)!;
  const config = configOf(block, data);
  const priorState = nullOf(impliedType(block));
  const proposedNewState = proposedNew(block, priorState, config);
  const plan = await provider.planResourceChange({ typeName, config, priorState, proposedNewState, priorPrivate: noBytes });
  const apply = await provider.applyResourceChange({ typeName, config, priorState, plannedState: config, plannedPrivate: noBytes });
  return { plan: plan.diagnostics, apply: apply.diagnostics };
}

describe("a provider under development", () => {
  test("is told which attribute breaks which rule, before a core says it", async ({ expect }) => {
    const { plan, apply } = await asked(createProvider(farm.with([field]), { checkAnswers: true }), {
      title: "x",
      fixed: "y",
      pin: "secret",
    });
    expect(texts(plan)).toEqual([
      `error: Provider broke a rule of the protocol: plan of farm_field: fixed planned value cty.StringVal("wilful") does not match config value cty.StringVal("y").

The rule is that what is planned is what is configured, or what was there before, or the provider's own where nothing is configured. A core would say "Provider produced invalid plan". This is a bug in the provider.`,
    ]);
    expect(plan).toMatchObject([{ attribute: [{ name: "fixed" }] }]);
    expect(apply.map(({ detail }) => detail.split("\n")[0])).toEqual([
      "create of farm_field: pin inconsistent values for sensitive attribute.",
      'create of farm_field: title was cty.StringVal("x"), but now cty.StringVal("another").',
    ]);
    expect(JSON.stringify(apply)).not.toContain("secret");
  });

  test("and nobody else", async ({ expect }) => {
    const { plan, apply } = await asked(createProvider(farm.with([field])), { title: "x", fixed: "y", pin: "secret" });
    expect([...plan, ...apply]).toEqual([]);
  });
});

describe("every answer with a value in it", () => {
  const barn = farm.resource("barn", {
    schema: { id: attr.string({ required: true }), pin: attr.string({ optional: true, writeOnly: true }) },
    create: ({ planned }) => ({ ...planned, pin: null }),
    read: ({ state }) => state,
    update: ({ planned }) => ({ ...planned, pin: null }),
    delete: () => {},
    importState: importById("id"),
  });
  const weather = farm.dataSource("weather", { schema: { id: attr.string({ computed: true }) }, read: () => ({ id: "fine" }) });
  const key = farm.ephemeralResource("key", { schema: { id: attr.string({ computed: true }) }, open: () => ({ id: "1" }) });
  const served = farm.with([barn, weather, key]);

  const type = object({ id: string, pin: string });
  const simple = object({ id: string });
  const state = of(type, { id: "a", pin: null });
  const bent = {
    unknown: of(type, { id: unknown(string), pin: null } as never),
    typed: of(object({ id: number, pin: string }), { id: 1, pin: null }),
    secret: of(type, { id: "a", pin: "secret" }),
    nothing: nullOf(type),
  };
  const misfit = "id string required, but received number.";
  const notKnown = "id is unknown, and has to be known by now.";
  const kept = 'an actual value for the write-only attribute ".pin".';

  async function told(method: string, request: object, response: object): Promise<readonly string[]> {
    const instance = new ServedInstance(served, silent, true);
    await instance.load(createLog(silent, {}, (value) => value));
    const broken = brokenRules(method, { typeName: "farm_barn", ...request }, { diagnostics: [], ...response }, instance);
    return broken.map(({ detail }) => detail.split("\n")[0]!);
  }
  const each = (answer: (value: Value) => Promise<readonly string[]>): Promise<readonly (readonly string[])[]> =>
    Promise.all([state, bent.unknown, bent.typed, bent.secret, bent.nothing].map(answer));

  test("a read", async ({ expect }) => {
    const who = "read of farm_barn";
    expect(await each((newState) => told("ReadResource", {}, { newState }))).toEqual([
      [],
      [`${who}: ${notKnown}`],
      [`${who}: ${misfit}`],
      [`${who}: pin ${kept}`],
      [],
    ]);
  });

  test("an import", async ({ expect }) => {
    const who = "import of farm_barn";
    const of1 = (value: Value, typeName = "farm_barn"): object => ({ typeName, state: value });
    expect(await each((value) => told("ImportResourceState", {}, { importedResources: [of1(value)] }))).toEqual([
      [],
      [`${who}: ${notKnown}`],
      [`${who}: ${misfit}`],
      [`${who}: pin ${kept}`],
      [`${who}: an object that is null was answered.`],
    ]);
    expect(await told("ImportResourceState", {}, { importedResources: [] })).toEqual([`${who}: 0 objects were answered.`]);
    expect(await told("ImportResourceState", {}, { importedResources: [of1(state), of1(state)] })).toEqual([
      `${who}: 2 objects were answered.`,
    ]);
    expect(await told("ImportResourceState", {}, { importedResources: [of1(state, "farm_field")] })).toEqual([
      `${who}: "farm_field" was answered.`,
    ]);
  });

  test("an upgrade and a move", async ({ expect }) => {
    const rawState = { json: new TextEncoder().encode("{}") };
    const expected = (who: string): readonly (readonly string[])[] => [
      [],
      [`${who}: ${notKnown}`],
      [`${who}: ${misfit}`],
      [`${who}: pin ${kept}`],
      [`${who}: no state was answered.`],
    ];
    const upgraded = await each((upgradedState) => told("UpgradeResourceState", { rawState }, { upgradedState }));
    expect(upgraded).toEqual(expected("upgrade of farm_barn"));
    expect(await told("UpgradeResourceState", { rawState: {} }, {})).toEqual([]);
    const moved = await each((targetState) => told("MoveResourceState", { targetTypeName: "farm_barn" }, { targetState }));
    expect(moved).toEqual(expected("move to farm_barn"));
  });

  test("a data source and an ephemeral resource", async ({ expect }) => {
    const cases = [
      of(simple, { id: "a" }),
      of(simple, { id: unknown(string) } as never),
      of(object({ id: number }), { id: 1 }),
      nullOf(simple),
    ];
    for (const [method, typeName, field, who] of [
      ["ReadDataSource", "farm_weather", "state", "read of farm_weather"],
      ["OpenEphemeralResource", "farm_key", "result", "opening of farm_key"],
    ] as const) {
      const said = await Promise.all(cases.map((value) => told(method, { typeName }, { [field]: value })));
      expect(said).toEqual([[], [`${who}: ${notKnown}`], [`${who}: ${misfit}`], [`${who}: null was answered.`]]);
      expect(await told(method, { typeName }, { [field]: cases[1], deferred: { reason: "providerConfigUnknown" } })).toEqual([]);
    }
  });

  test("a plan and a result, also of a deletion", async ({ expect }) => {
    const change = { priorState: state, proposedNewState: bent.nothing, config: bent.nothing, plannedState: bent.nothing };
    expect(await told("PlanResourceChange", change, { plannedState: state, requiresReplace: [] })).toEqual([
      "plan of farm_barn: something was planned.",
    ]);
    expect(await told("PlanResourceChange", { ...change, proposedNewState: state }, { plannedState: bent.nothing })).toEqual([
      "plan of farm_barn: nothing was planned.",
    ]);
    expect(await told("ApplyResourceChange", change, { newState: state })).toEqual(["deletion of farm_barn: something is left."]);
    const made = { ...change, priorState: bent.nothing, plannedState: state };
    expect(await each((newState) => told("ApplyResourceChange", made, { newState }))).toEqual([
      [],
      [`create of farm_barn: ${notKnown}`],
      [`create of farm_barn: ${misfit}`],
      [`create of farm_barn: pin ${kept}`],
      ["create of farm_barn: nothing is left."],
    ]);
  });

  test("says nothing of a provider that keeps them", async ({ expect }) => {
    const provider = createProvider(served, { checkAnswers: true });
    const nowhere = new TextEncoder().encode('{"id":"a"}');
    const answers = [
      await provider.readResource({ typeName: "farm_barn", currentState: state, private: noBytes }),
      await provider.importResourceState({ typeName: "farm_barn", id: "a" }),
      await provider.upgradeResourceState({ typeName: "farm_barn", version: 0, rawState: { json: nowhere } }),
      await provider.readDataSource({ typeName: "farm_weather", config: of(simple, { id: null }) }),
      await provider.openEphemeralResource({ typeName: "farm_key", config: of(simple, { id: null }) }),
    ];
    expect(answers.map(({ diagnostics }) => diagnostics)).toEqual(answers.map(() => []));
  });
});
