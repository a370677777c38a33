// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { nullOf } from "@tenon/cty";
import { impliedType, type Diagnostic, type Provider } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { configOf, texts, type Data } from "../../test/resource-life.ts";
import { attr, createProvider, defineProvider, type PlanModifier } from "../index.ts";

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
