// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { nullOf, number, object, of, string, unknown, type Value } from "@tenon/cty";
import { impliedType, type Diagnostic, type Provider } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { configOf, texts, type Data } from "../../test/resource-life.ts";
import { attr, createProvider, defineProvider, importById } from "../index.ts";
import type { PlanModifier } from "../plan-modifiers/index.ts";
import { createLog, silentLogger } from "../logger.ts";
import { ServedInstance } from "../server/instance/served-instance.ts";
import { checkResponse } from "./response-check.ts";

const farm = defineProvider({ name: "farm", version: "1.0.0" });
const noBytes = new Uint8Array(0);
/** Plans a value that differs from the configured one, which the protocol forbids. */
const overriding: PlanModifier<string> = () => "overridden";

const field = farm.resource("field", {
  schema: {
    title: attr.string({ optional: true }),
    fixed: attr.string({ optional: true, planModifiers: [overriding] }),
    pin: attr.string({ optional: true, sensitive: true }),
  },
  create: ({ planned }) => ({ ...planned, title: "another", pin: `${planned.pin}!` }),
  read: () => undefined,
  update: ({ planned }) => planned,
  delete: () => {},
});

/** Plans and applies a field; returns the diagnostics of both calls. */
async function planAndApply(
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

describe("checkResponses", () => {
  test("reports each violation with its attribute and its rule", async ({ expect }) => {
    const { plan, apply } = await planAndApply(createProvider(farm.with([field]), { checkResponses: true }), {
      title: "x",
      fixed: "y",
      pin: "secret",
    });
    expect(texts(plan)).toEqual([
      `error: Provider broke a rule of the protocol: plan of farm_field: fixed planned value cty.StringVal("overridden") does not match config value cty.StringVal("y").

The rule is that a planned value equals the configured value or the prior value; the provider chooses a value only where the configuration sets none. Terraform and OpenTofu would report "Provider produced invalid plan". This is a bug in the provider.`,
    ]);
    expect(plan).toMatchObject([{ attribute: [{ name: "fixed" }] }]);
    expect(apply.map(({ detail }) => detail.split("\n")[0])).toEqual([
      "create of farm_field: pin inconsistent values for sensitive attribute.",
      'create of farm_field: title was cty.StringVal("x"), but now cty.StringVal("another").',
    ]);
    expect(JSON.stringify(apply)).not.toContain("secret");
  });

  test("is off by default", async ({ expect }) => {
    const { plan, apply } = await planAndApply(createProvider(farm.with([field])), { title: "x", fixed: "y", pin: "secret" });
    expect([...plan, ...apply]).toEqual([]);
  });
});

describe("checkResponse", () => {
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
  const simpleType = object({ id: string });
  const valid = of(type, { id: "a", pin: null });
  const invalid = {
    unknownValue: of(type, { id: unknown(string), pin: null } as never),
    wrongType: of(object({ id: number, pin: string }), { id: 1, pin: null }),
    writeOnlyValue: of(type, { id: "a", pin: "secret" }),
    nullObject: nullOf(type),
  };
  const states = [valid, ...Object.values(invalid)];
  const wrongType = "id string required, but received number.";
  const unknownValue = "id is unknown, and has to be known by now.";
  const writeOnlyValue = 'pin an actual value for the write-only attribute ".pin".';

  /** Returns the first line of each violation. */
  async function violationsOf(rpc: string, request: object, response: object): Promise<readonly string[]> {
    const instance = new ServedInstance(served, silentLogger, true);
    await instance.load(createLog(silentLogger, {}, (value) => value));
    const violations = checkResponse(rpc, { typeName: "farm_barn", ...request }, { diagnostics: [], ...response }, instance);
    return violations.map(({ detail }) => detail.split("\n")[0]!);
  }
  /** Returns the violations of the valid state, then of each invalid state. */
  const ofEachState = (check: (state: Value) => Promise<readonly string[]>): Promise<readonly (readonly string[])[]> =>
    Promise.all(states.map(check));

  test("checks a read, which may return null", async ({ expect }) => {
    expect(await ofEachState((newState) => violationsOf("ReadResource", {}, { newState }))).toEqual([
      [],
      [`read of farm_barn: ${unknownValue}`],
      [`read of farm_barn: ${wrongType}`],
      [`read of farm_barn: ${writeOnlyValue}`],
      [],
    ]);
  });

  test("checks that an import returns one object of the requested type", async ({ expect }) => {
    const imported = (state: Value, typeName = "farm_barn"): object => ({ typeName, state });
    const violationsOfImport = (...importedResources: readonly object[]): Promise<readonly string[]> =>
      violationsOf("ImportResourceState", {}, { importedResources });
    expect(await ofEachState((state) => violationsOfImport(imported(state)))).toEqual([
      [],
      [`import of farm_barn: ${unknownValue}`],
      [`import of farm_barn: ${wrongType}`],
      [`import of farm_barn: ${writeOnlyValue}`],
      ["import of farm_barn: the imported state is null."],
    ]);
    expect(await violationsOfImport()).toEqual(["import of farm_barn: the provider returned 0 objects."]);
    expect(await violationsOfImport(imported(valid), imported(valid))).toEqual(["import of farm_barn: the provider returned 2 objects."]);
    expect(await violationsOfImport(imported(valid, "farm_field"))).toEqual([
      'import of farm_barn: the provider returned an object of type "farm_field".',
    ]);
  });

  test("checks upgraded and moved states", async ({ expect }) => {
    const rawState = { json: new TextEncoder().encode("{}") };
    const expected = (operation: string): readonly (readonly string[])[] => [
      [],
      [`${operation}: ${unknownValue}`],
      [`${operation}: ${wrongType}`],
      [`${operation}: ${writeOnlyValue}`],
      [`${operation}: the provider returned no state.`],
    ];
    const upgraded = await ofEachState((upgradedState) => violationsOf("UpgradeResourceState", { rawState }, { upgradedState }));
    expect(upgraded).toEqual(expected("upgrade of farm_barn"));
    expect(await violationsOf("UpgradeResourceState", { rawState: {} }, {})).toEqual([]);
    const moved = await ofEachState((targetState) => violationsOf("MoveResourceState", { targetTypeName: "farm_barn" }, { targetState }));
    expect(moved).toEqual(expected("move to farm_barn"));
  });

  test.for([
    ["ReadDataSource", "farm_weather", "state", "read of farm_weather"],
    ["OpenEphemeralResource", "farm_key", "result", "opening of farm_key"],
  ] as const)("checks the object of %s, unless it is deferred", async ([rpc, typeName, member, operation], { expect }) => {
    const unknownId = of(simpleType, { id: unknown(string) } as never);
    const objects = [of(simpleType, { id: "a" }), unknownId, of(object({ id: number }), { id: 1 }), nullOf(simpleType)];
    const violations = await Promise.all(objects.map((value) => violationsOf(rpc, { typeName }, { [member]: value })));
    expect(violations).toEqual([
      [],
      [`${operation}: ${unknownValue}`],
      [`${operation}: ${wrongType}`],
      [`${operation}: the returned object is null.`],
    ]);
    const deferred = { reason: "providerConfigUnknown" };
    expect(await violationsOf(rpc, { typeName }, { [member]: unknownId, deferred })).toEqual([]);
  });

  test("checks plans and applies, also of a deletion", async ({ expect }) => {
    const { nullObject } = invalid;
    const deletion = { priorState: valid, proposedNewState: nullObject, config: nullObject, plannedState: nullObject };
    expect(await violationsOf("PlanResourceChange", deletion, { plannedState: valid, requiresReplace: [] })).toEqual([
      "plan of farm_barn: the destroy plan is not null.",
    ]);
    expect(await violationsOf("PlanResourceChange", { ...deletion, proposedNewState: valid }, { plannedState: nullObject })).toEqual([
      "plan of farm_barn: the planned state is null.",
    ]);
    expect(await violationsOf("ApplyResourceChange", deletion, { newState: valid })).toEqual([
      "deletion of farm_barn: the new state is not null.",
    ]);
    const creation = { ...deletion, priorState: nullObject, plannedState: valid };
    expect(await ofEachState((newState) => violationsOf("ApplyResourceChange", creation, { newState }))).toEqual([
      [],
      [`create of farm_barn: ${unknownValue}`],
      [`create of farm_barn: ${wrongType}`],
      [`create of farm_barn: ${writeOnlyValue}`],
      ["create of farm_barn: the new state is null."],
    ]);
  });

  test("accepts every response of a correct provider", async ({ expect }) => {
    const provider = createProvider(served, { checkResponses: true });
    const json = new TextEncoder().encode('{"id":"a"}');
    const responses = [
      await provider.readResource({ typeName: "farm_barn", currentState: valid, private: noBytes }),
      await provider.importResourceState({ typeName: "farm_barn", id: "a" }),
      await provider.upgradeResourceState({ typeName: "farm_barn", version: 0, rawState: { json } }),
      await provider.readDataSource({ typeName: "farm_weather", config: of(simpleType, { id: null }) }),
      await provider.openEphemeralResource({ typeName: "farm_key", config: of(simpleType, { id: null }) }),
    ];
    expect(responses.map(({ diagnostics }) => diagnostics)).toEqual(responses.map(() => []));
  });
});
