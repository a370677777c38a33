// SPDX-License-Identifier: Apache-2.0
import { dynamic, unknown } from "@tenon/cty";
import { hasErrors } from "@tenon/schema";
import type { ResourceInstance } from "../address/resource.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import { declaredBlock } from "../configuration/configuration.ts";
import { settleAll } from "../evaluation/cell.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { OpenEphemeralResources } from "../walk/ephemeral-instance.ts";
import { scopeOf, scopesFrom } from "../walk/module-lookup.ts";
import { ResourceWalk } from "../walk/resource-walk.ts";
import { blockedMovesWarning } from "../moves/validate-moves.ts";
import { evaluateNeeded, forgetUnneeded, isAmong } from "./needed-by-destructions.ts";
import { previousAddressesOf, walkOptionsOf, type PlanContext } from "./plan-input.ts";
import { planGuarded, type OrphanObject } from "./plan-orphan.ts";
import { destroyOutputs, plannedModuleOutputs } from "./plan-outputs.ts";
import { finishedPlan } from "./plan-result.ts";
import { PlanRun } from "./plan-run.ts";
import { recordedValue } from "./recorded-value.ts";
import { removeSkippedDestructions } from "./skipped-destructions.ts";
import { isPartial, select } from "./targeting.ts";

/** The states that a destroy plan starts from. */
export type RefreshedState = Pick<PlannedChanges, "previousState" | "priorState">;

/**
 * Plans the destruction of all objects of a state.
 *
 * @see OpenTofu context_plan.go, destroyPlan
 */
export async function planDestruction(context: PlanContext, { previousState, priorState: state }: RefreshedState): Promise<PlannedChanges> {
  const { configuration, graph, report, emit, signal } = context;
  const selection = select(graph, state, { targets: context.targets, excludes: context.excludes, destroys: true });
  const run = new PlanRun({
    configuration,
    settings: {
      mode: "destroy",
      refresh: false,
      replace: new Set(),
      isInstanceIncluded: selection.includesInstance,
      areDeposedIncluded: selection.includesDeposed,
      signal,
    },
    graph,
    report,
    emit,
    moved: previousAddressesOf(context),
    imports: new Map(),
    createBeforeDestroy: new Set(),
    state,
  });
  const walk: ResourceWalk = new ResourceWalk({
    ...walkOptionsOf(context),
    conditionsWarn: true,
    // Resources and their conditions are not part of the plan.
    includes: () => false,
    // Resources are only evaluated because provider configurations may refer to them. Ephemeral ones have no recorded value.
    instance: async (node) => {
      if (node.block.address.mode === "ephemeral") return ephemeral.open(node, { signal });
      return (await recordedValue(run, walk, node)) ?? unknown(dynamic);
    },
  });
  const ephemeral = new OpenEphemeralResources(() => walk, emit);
  const objects: OrphanObject[] = [];
  for (const { address, instances } of state.resources.values()) {
    for (const { key, current, deposed } of instances.values()) {
      const instance: ResourceInstance = { ...address, ...(key !== undefined && { key }) };
      const [isIncluded, areDeposedIncluded] = [selection.includesInstance(instance), selection.includesDeposed(instance)];
      if (!isIncluded && !areDeposedIncluded) continue;
      const scope = await scopeOf(walk.root, instance.module);
      const block = declaredBlock(configuration, instance);
      for (const [id, stored] of areDeposedIncluded ? deposed : [])
        objects.push({ address: { instance, deposed: id }, stored, block, scope });
      if (current !== undefined && isIncluded) objects.push({ address: { instance }, stored: current, block, scope });
    }
  }
  const errors = new Map<OrphanObject, unknown>();
  const plan = async (object: OrphanObject): Promise<void> => {
    try {
      await planGuarded(run, walk, object);
    } catch (error) {
      errors.set(object, error);
      throw error;
    }
  };
  let needed: ReadonlySet<DependencyNode>;
  try {
    await settleAll(objects.map(plan));
    removeSkippedDestructions(run, objects, errors);
    needed = await evaluateNeeded(walk, graph, [...run.changes.values()]);
    const isNeeded = isAmong(graph, needed);
    const outputs = plannedModuleOutputs(scopesFrom(walk.root, isNeeded), ({ configuration: { path } }, name) =>
      isNeeded(path, `output.${name}`),
    );
    context.moduleOutputs.push(...(await outputs));
  } finally {
    await ephemeral.close();
  }
  const blocked = hasErrors(report) ? undefined : blockedMovesWarning(context.moves.blocked);
  if (blocked !== undefined) report.push(blocked);
  forgetUnneeded(walk, graph, needed);
  // Of all checks, a destroy plan lists only the conditions of the root module's outputs, and does not evaluate them. Nothing in it includes
  // an output, so that one with targets or exclusions lists none.
  if (!isPartial(context)) for (const name of configuration.module.outputs.keys()) walk.expectCheckable(walk.root, `output.${name}`);
  const changes = finishedPlan(run, walk, isPartial(context) ? [] : destroyOutputs(state, () => true), context.timestamp);
  // As in OpenTofu, the drift that the plan before this one has found is not part of a destroy plan.
  return { ...changes, previousState, drift: [] };
}
