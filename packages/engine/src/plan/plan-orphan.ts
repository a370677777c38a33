// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { impliedType } from "@tenon/schema";
import { planDestroy } from "@tenon/schema/lifecycle";
import { removeEndpointContains } from "../address/endpoint.ts";
import {
  formatResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  isSameResourceInstance,
  type ResourceInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import { formatInModulePath, formatModuleInstance, modulePathOf } from "../address/module.ts";
import { allModules, descendant } from "../configuration/configuration.ts";
import { resourceBlock } from "../configuration/module.ts";
import { reportWarning } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { StateObject } from "../state/state-object.ts";
import { hasSoundDependencies } from "../walk/dependency-waits.ts";
import { isUndecidedModule, scopesFrom } from "../walk/module-lookup.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { combineMarks, schemaMarks, sensitiveMarks } from "../marks/object-marks.ts";
import type { ActionReason, ResourceChange } from "../change/planned-changes.ts";
import { settleProvider } from "../walk/settle-provider.ts";
import { checkPreventDestroy, skipsDestroy } from "./destroy-rules.ts";
import { refreshedObject, setObject, setRefreshed, upgradedObject, type ExistingObject, type ManagedObject } from "./existing-object.ts";
import { addOrDefer } from "./deferral.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";
import { recordedType } from "./recorded-type.ts";

/** An object of the state that is no longer wanted. */
export interface OrphanObject {
  readonly address: ResourceInstanceObject;
  readonly stored: StateObject;
  /** The block that declared the object, if the configuration still has it, and the module instance it would be in. */
  readonly block?: ResourceBlock | undefined;
  readonly scope?: ModuleScope | undefined;
  /** Why it is no longer wanted. */
  readonly reason?: ActionReason | undefined;
}

/**
 * Plans that an object is destroyed or forgotten: one whose instance the configuration does not declare any more, a deposed one, or any
 * object where everything is destroyed.
 *
 * @see OpenTofu node_resource_plan_orphan.go, node_resource_deposed.go, node_resource_plan_destroy.go
 */
export async function planOrphan(run: PlanRun, walk: ResourceWalk, orphan: OrphanObject): Promise<void> {
  const { address, stored, block, scope } = orphan;
  const { instance, deposed } = address;
  const { mode, refresh } = run.settings;
  const text = formatResourceInstance(instance);
  if (instance.resource.mode !== "managed") {
    if (mode === "destroy") run.add(dataRemoval(run, instance));
    else run.refreshed.removeObject(address);
    return;
  }
  const managed: ManagedObject = { address, text, block, ...(await recordedType(run, walk, address)) };
  run.types.set(formatResourceInstanceObject(address), managed.type);
  let existing: ExistingObject | undefined = await upgradedObject(run, walk, managed, stored);
  setObject(run.previous, managed, existing);
  const isRefreshed = refresh && !(deposed !== undefined && mode === "destroy");
  if (isRefreshed) existing = await refreshedObject(run, walk, managed, existing);
  setRefreshed(run, managed, existing);
  if (existing === undefined || mode === "refreshOnly") return;
  const byConfiguration = block === undefined ? false : skipsDestroy(walk, { block });
  // Where everything is destroyed, `removed` blocks have no effect.
  const removed = mode === "destroy" ? undefined : removedBlockFor(run, instance);
  const destroys = removed === undefined ? !byConfiguration && !existing.record.skipDestroy : removed.destroy === true;
  const change = destroys
    ? await destroyChange(run, walk, managed, existing, orphan.reason)
    : forgetChange(run, managed, existing, forgetReason(existing, byConfiguration) ?? orphan.reason);
  addOrDefer(run, change, existing.deferred ?? change.planned?.deferred);
  if (block !== undefined && scope !== undefined) await checkPreventDestroy(walk, { scope, block, text, address: instance }, change.action);
}

/** The removal of a data source from the state, where everything is destroyed. No document shows it. */
function dataRemoval(run: PlanRun, instance: ResourceInstance): ResourceChange {
  return {
    address: { instance },
    previousAddress: run.previousAddress(instance),
    provider: run.recordedProvider({ instance })!,
    action: "delete",
    before: nullOf(dynamic),
    after: nullOf(dynamic),
    beforeMarks: [],
    afterMarks: [],
    requiresReplace: [],
    dependencies: [],
    createBeforeDestroy: false,
    skipDestroy: false,
  };
}

/** Lets the provider plan the destruction of an object. */
async function destroyChange(
  run: PlanRun,
  walk: ResourceWalk,
  managed: ManagedObject,
  existing: ExistingObject,
  reason: ActionReason | undefined,
): Promise<ResourceChange> {
  const outcome = await planDestroy(managed.type, existing.object, await operationOptions(run, walk, managed));
  settleProvider(walk, managed, outcome.diagnostics, managed.block?.config);
  const { planned } = outcome;
  if (planned === undefined) throw new UpstreamError();
  return {
    ...removalOf(run, managed, existing),
    action: "delete",
    ...(reason && { reason }),
    ...(planned.identity && { afterIdentity: planned.identity }),
    planned,
  };
}

/** Why an object is forgotten and not destroyed, if a `lifecycle` block says so: the current one, or the last one, which the state records. */
function forgetReason({ record }: ExistingObject, byConfiguration: boolean): ActionReason | undefined {
  if (byConfiguration) return "forgot_because_lifecycle_destroy_in_config";
  return record.skipDestroy ? "forgot_because_lifecycle_destroy_in_state" : undefined;
}

/** The change that removes an object from the state and does not destroy it. Reports a warning about it. */
function forgetChange(run: PlanRun, managed: ManagedObject, existing: ExistingObject, reason: ActionReason | undefined): ResourceChange {
  const detail = `After this plan is applied, the resource ${managed.text} will not be managed anymore by OpenTofu.\n\nIn case you want to manage the resource again, you will have to import it.`;
  // A destroy plan says this only of deposed objects.
  if (run.settings.mode !== "destroy" || managed.address.deposed !== undefined) {
    reportWarning(run.report, "Resource will be removed from the state", detail);
  }
  return { ...removalOf(run, managed, existing), action: "forget", ...(reason && { reason }) };
}

/** A change after which the object is no longer in the state. */
function removalOf(
  run: PlanRun,
  { address, type, provider }: ManagedObject,
  { object, record }: ExistingObject,
): Omit<ResourceChange, "action"> {
  const after: Value = valueOf(impliedType(type.schema.block), null);
  return {
    address,
    previousAddress: run.previousAddress(address.instance),
    provider: provider.address,
    before: object.value,
    after,
    beforeMarks: combineMarks(sensitiveMarks(record.sensitivePaths), schemaMarks(type.schema.block, object.value)),
    afterMarks: [],
    ...(object.identity && { beforeIdentity: object.identity }),
    requiresReplace: [],
    type,
    dependencies: record.dependencies,
    createBeforeDestroy: record.createBeforeDestroy,
    skipDestroy: record.skipDestroy,
  };
}

/** The `removed` block about an instance; the last one where there are several. */
function removedBlockFor(run: PlanRun, instance: ResourceInstance): { readonly destroy?: boolean } | undefined {
  let found: { readonly destroy?: boolean } | undefined;
  for (const { module, path } of allModules(run.configuration)) {
    for (const removed of module.removed) {
      if (removed.from !== undefined && removeEndpointContains(path, removed.from, instance)) found = removed;
    }
  }
  return found;
}

/**
 * The objects of the state that the configuration does not declare any more, and all deposed objects.
 *
 * @param isWhole Whether the configuration was evaluated without errors. If not, objects of resources that refer to something with errors
 *   are left out.
 */
export async function findOrphans(run: PlanRun, walk: ResourceWalk, isWhole: boolean): Promise<readonly OrphanObject[]> {
  const scopes = new Map<string, ModuleScope>();
  for await (const scope of scopesFrom(walk.root)) scopes.set(formatModuleInstance(scope.instance), scope);
  const orphans: OrphanObject[] = [];
  for (const { address, instances } of run.previous.snapshot().resources.values()) {
    // Whether the configuration declares these objects is not known yet.
    if (await isUndecidedModule(walk.root, address.module)) continue;
    const configuration = descendant(run.configuration, modulePathOf(address.module));
    const block = configuration && resourceBlock(configuration.module, address.resource);
    const scope = scopes.get(formatModuleInstance(address.module));
    if (scope?.isSubstituted === true && block !== undefined) continue;
    const expanded = block && scope && (await walk.resource(scope, block).catch(() => undefined));
    // What a resource with errors declares is not known, so none of its objects is planned.
    if (block !== undefined && scope !== undefined && expanded === undefined) continue;
    if (!isWhole && block !== undefined && !(await hasSoundDependencies(walk, address.module, block))) continue;
    for (const { key, current, deposed } of instances.values()) {
      const instance: ResourceInstance = { ...address, ...(key !== undefined && { key }) };
      if (!run.settings.isInstanceIncluded(instance)) continue;
      for (const [id, stored] of deposed) orphans.push({ address: { instance, deposed: id }, stored, block, scope });
      if (current === undefined || expanded?.expansion.kind === "unknown" || expanded?.instances.has(key)) continue;
      orphans.push({ address: { instance }, stored: current, block, scope, reason: reasonFor(run, instance, block, scope) });
    }
  }
  return orphans;
}

/** @see OpenTofu node_resource_plan_orphan.go, deleteActionReason */
function reasonFor(
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

/** Plans an object as {@link planOrphan} does; a call of a provider that fails is an error of the object. */
export async function planGuarded(run: PlanRun, walk: ResourceWalk, orphan: OrphanObject): Promise<void> {
  const { address, block } = orphan;
  try {
    await walk.guarded(formatResourceInstanceObject(address), () => planOrphan(run, walk, orphan));
  } catch (error) {
    const path = modulePathOf(address.instance.module);
    if (block !== undefined) walk.faults.add(formatInModulePath(path, formatResource(block.address)), error);
    throw error;
  }
}
