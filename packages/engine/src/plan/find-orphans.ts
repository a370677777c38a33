// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import { isSameResourceInstance, type ResourceInstance } from "../address/resource.ts";
import type { ActionReason } from "../change/planned-changes.ts";
import { declaredBlock } from "../configuration/configuration.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { unlessUpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { StateResource } from "../state/state.ts";
import { hasSoundDependencies } from "../walk/dependency-waits.ts";
import { isUndecidedModule, scopeOf } from "../walk/module-lookup.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { OrphanObject } from "./plan-orphan.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * The objects of a resource of the state that the configuration does not declare any more, and all its deposed objects.
 *
 * @param isWhole Whether the configuration was evaluated without errors. If not, current objects of a resource that refers to something with
 *   errors are not returned.
 */
export async function findOrphans(
  run: PlanRun,
  walk: ResourceWalk,
  { address, instances }: StateResource,
  isWhole: boolean,
): Promise<readonly OrphanObject[]> {
  const instanceOf = (key: InstanceKey): ResourceInstance => ({ ...address, ...(key !== undefined && { key }) });
  const { isInstanceIncluded, areDeposedIncluded } = run.settings;
  const included = [...instances.values()].filter(
    ({ key, deposed }) => isInstanceIncluded(instanceOf(key)) || (deposed.size > 0 && areDeposedIncluded(instanceOf(key))),
  );
  if (included.length === 0) return [];
  // Whether the configuration declares these objects is not known yet.
  if (await isUndecidedModule(walk.root, address.module)) return [];
  const block = declaredBlock(run.configuration, address);
  const scope = await scopeOf(walk.root, address.module);
  if (scope?.isSubstituted === true && block !== undefined) return [];
  // Deposed objects are planned without the configuration of their resource.
  const isEvaluated = included.some(({ key }) => isInstanceIncluded(instanceOf(key)));
  const expanded = block && scope && isEvaluated ? await unlessUpstreamError(walk.resource(scope, block)) : undefined;
  const orphans: OrphanObject[] = [];
  const deposedObjects: OrphanObject[] = [];
  for (const { key, current, deposed } of included) {
    const instance = instanceOf(key);
    if (areDeposedIncluded(instance)) {
      for (const [id, stored] of deposed) deposedObjects.push({ address: { instance, deposed: id }, stored, block, scope });
    }
    if (!isInstanceIncluded(instance) || current === undefined || expanded?.expansion.kind === "unknown" || expanded?.instances.has(key))
      continue;
    orphans.push({ address: { instance }, stored: current, block, scope, reason: deletionReason(run, instance, block, scope) });
  }
  // The instances of a resource with errors are not known, so none of its current objects is planned.
  if (block !== undefined && scope !== undefined && expanded === undefined) return deposedObjects;
  if (orphans.length === 0 || isWhole || block === undefined) return [...deposedObjects, ...orphans];
  return (await hasSoundDependencies(walk, address.module, block)) ? [...deposedObjects, ...orphans] : deposedObjects;
}

/** Why an instance is not declared any more. @see OpenTofu node_resource_plan_orphan.go, deleteActionReason */
function deletionReason(
  run: PlanRun,
  instance: ResourceInstance,
  block: ResourceBlock | undefined,
  scope: ModuleScope | undefined,
): ActionReason | undefined {
  if (block === undefined) {
    return isSameResourceInstance(run.previousAddress(instance), instance)
      ? "delete_because_no_resource_config"
      : "delete_because_no_move_target";
  }
  if (scope === undefined) return "delete_because_no_module";
  const { key } = instance;
  if (key === undefined) {
    if (block.enabled !== undefined) return "delete_because_enabled_false";
    return block.count !== undefined || block.forEach !== undefined ? "delete_because_wrong_repetition" : undefined;
  }
  if (typeof key === "number") return block.count === undefined ? "delete_because_wrong_repetition" : "delete_because_count_index";
  return block.forEach === undefined ? "delete_because_wrong_repetition" : "delete_because_each_key";
}
