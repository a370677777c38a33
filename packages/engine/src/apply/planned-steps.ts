// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { formatConfigResource } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { allModules, type Configuration } from "../configuration/configuration.ts";
import { resourcesIn } from "../configuration/module.ts";
import { Cell } from "../evaluation/cell.ts";
import { applySteps } from "./apply-order.ts";
import { isOfCheck } from "./apply-selection.ts";
import type { AwaitedInstances } from "./awaited-instances.ts";
import { DirectDependencies, hasModuleInstances } from "./direct-dependencies.ts";
import { ProviderDependencies } from "./provider-dependencies.ts";
import { resolveCycles } from "./resolve-cycles.ts";
import { RetainedBlocks, type AppliedPlan } from "./retained-blocks.ts";
import type { ApplySteps } from "./step.ts";

/** The steps of an apply. */
export interface PlannedSteps {
  readonly steps: ApplySteps;
  /** The error about steps that wait for each other; undefined if there are none. */
  readonly cycle: Diagnostic | undefined;
  /** Undefined: no change is of an instance with a key. */
  readonly awaited: AwaitedInstances | undefined;
  /** Whether the configuration declares a resource, named by its address. */
  readonly isDeclared: (resource: string) => boolean;
}

/** Finds the steps of the apply of a plan. */
export async function plannedSteps(input: AppliedPlan, retained: Cell<RetainedBlocks>): Promise<PlannedSteps> {
  const { planned, configuration } = input;
  const direct = hasModuleInstances(planned.resources) ? new DirectDependencies((await retained.get()).graph) : undefined;
  const awaited = planned.resources.some(({ address }) => address.instance.key !== undefined) ? (await retained.get()).awaited : undefined;
  const hasCalls = configuration.children.size > 0 && planned.resources.some(({ dependencies }) => dependencies.length > 0);
  const declared = declaredResources(configuration);
  const isDeclared = (resource: string): boolean => declared.has(resource);
  const ofProviders = changesAndDestroys(planned.resources) ? new ProviderDependencies((await retained.get()).graph) : undefined;
  const neededBy = ofProviders && ((change: ResourceChange) => ofProviders.of(change));
  const ofCheck = (change: ResourceChange): boolean => isOfCheck(configuration, change);
  const limits = { direct, awaited, isDeclared, neededBy, isOfCheck: ofCheck, ...(hasCalls && { retained: await retained.get() }) };
  const steps = applySteps(planned.resources, planned.priorState, limits);
  const cycle = resolveCycles(steps);
  return {
    steps,
    awaited,
    isDeclared,
    cycle: cycle && { severity: "error", summary: `Cycle: ${cycle.map(({ id }) => id).join(", ")}`, detail: "" },
  };
}

/**
 * The error of a plan that cannot be applied because changes wait for each other; undefined if it can be applied. Each such cycle contains a
 * destruction that waits for the changes of its dependents.
 *
 * @see OpenTofu context_plan.go, checkApplyGraph
 */
export async function cycleOfApply(input: AppliedPlan): Promise<Diagnostic | undefined> {
  const changes = input.planned.resources;
  const isLate = ({ action, address, createBeforeDestroy }: ResourceChange): boolean =>
    action === "createThenDelete" || (action === "delete" && (createBeforeDestroy || address.deposed !== undefined));
  if (!changes.some(isLate)) return undefined;
  return (await plannedSteps(input, new Cell(() => RetainedBlocks.of(input)))).cycle;
}

/** Whether objects are destroyed while others are changed. */
function changesAndDestroys(changes: readonly ResourceChange[]): boolean {
  const actions = new Set(changes.map(({ action }) => action));
  if (actions.has("deleteThenCreate") || actions.has("createThenDelete")) return true;
  return actions.has("delete") && (actions.has("create") || actions.has("update") || actions.has("read"));
}

/** The addresses of all resources of a configuration. */
function declaredResources(root: Configuration): ReadonlySet<string> {
  const declared = new Set<string>();
  for (const { module, path } of allModules(root)) {
    for (const { address } of resourcesIn(module)) declared.add(formatConfigResource({ module: path, resource: address }));
  }
  return declared;
}
