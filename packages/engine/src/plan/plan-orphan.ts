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
  type ResourceInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import { formatInModulePath, formatModulePath, modulePathOf } from "../address/module.ts";
import { allModules } from "../configuration/configuration.ts";
import { reportWarning } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { StateObject } from "../state/state-object.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { combineMarks, schemaMarks, sensitiveMarks } from "../marks/object-marks.ts";
import type { ActionReason, ResourceChange } from "../change/planned-changes.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { checkPreventDestroy, skipsDestroy } from "./destroy-rules.ts";
import { refreshedObject, setObject, setRefreshed, upgradedObject, type ExistingObject, type ManagedObject } from "./existing-object.ts";
import { addOrDefer } from "./deferral.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";
import { recordedType } from "./recorded-type.ts";
import { RemovedModuleScope } from "../walk/removed-module-scope.ts";

/** An object of the state that is to be destroyed or forgotten. */
export interface OrphanObject {
  readonly address: ResourceInstanceObject;
  readonly stored: StateObject;
  /** The block that declared the object, if the configuration still has it. */
  readonly block?: ResourceBlock | undefined;
  /** The module instance of the object, if it still exists. */
  readonly scope?: ModuleScope | undefined;
  /** Why it is destroyed or forgotten. */
  readonly reason?: ActionReason | undefined;
}

/**
 * Plans the destruction of an object, or that the state forgets it: an object whose instance the configuration does not declare any more, a
 * deposed one, or any object in a destroy plan.
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
  const byConfiguration = block !== undefined && skipsDestroy(walk, { block });
  // In a destroy plan, `removed` blocks have no effect.
  const removedBlock = mode === "destroy" ? undefined : removedBlockFor(run, instance);
  const destroys = removedBlock === undefined ? !byConfiguration && !existing.record.skipDestroy : removedBlock.destroy === true;
  const change = destroys
    ? await destroyChange(run, walk, managed, existing, orphan.reason)
    : forgetChange(run, managed, existing, forgetReason(existing, byConfiguration) ?? orphan.reason);
  addOrDefer(run, change, existing.deferred ?? change.planned?.deferred);
  const evaluated = scope ?? RemovedModuleScope.of(walk.root, instance.module);
  if (block !== undefined && evaluated !== undefined)
    await checkPreventDestroy(walk, { scope: evaluated, block, text, address: instance }, change.action);
}

/** The removal of a data source from the state, in a destroy plan. No document shows it. */
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
  const located = locateDiagnostics(outcome.diagnostics, managed.block?.config, managed.text);
  run.destroyDiagnostics.set(formatResourceInstanceObject(managed.address), located);
  walk.root.settle(undefined, located);
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

/** The reason for an object that `lifecycle.destroy` forgets: in its current block, or in its last one, which the state records. */
function forgetReason({ record }: ExistingObject, byConfiguration: boolean): ActionReason | undefined {
  if (byConfiguration) return "forgot_because_lifecycle_destroy_in_config";
  return record.skipDestroy ? "forgot_because_lifecycle_destroy_in_state" : undefined;
}

/** The change that removes an object from the state and does not destroy it. Reports a warning about it. */
function forgetChange(run: PlanRun, managed: ManagedObject, existing: ExistingObject, reason: ActionReason | undefined): ResourceChange {
  const detail = `After this plan is applied, the resource ${managed.text} will not be managed anymore by OpenTofu.\n\nIn case you want to manage the resource again, you will have to import it.`;
  // A destroy plan reports this only for deposed objects.
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

/** The `removed` block about an instance; the last one if there are several. */
function removedBlockFor(run: PlanRun, instance: ResourceInstance): { readonly destroy?: boolean } | undefined {
  const blocks = [...allModules(run.configuration)].flatMap(({ module, path }) =>
    module.removed.filter(({ from }) => from !== undefined && removeEndpointContains(path, from, instance)),
  );
  return blocks.at(-1);
}

/** Plans an object as {@link planOrphan} does. Reports errors that are thrown, such as those of provider calls, as errors of the object. */
export async function planGuarded(run: PlanRun, walk: ResourceWalk, orphan: OrphanObject): Promise<void> {
  const { address, block } = orphan;
  const { instance, deposed } = address;
  try {
    await walk.guarded(formatResourceInstanceObject(address), () => planOrphan(run, walk, orphan));
  } catch (error) {
    const path = modulePathOf(instance.module);
    if (block !== undefined && deposed === undefined) {
      walk.faults.add(formatInModulePath(path, formatResource(instance.resource)), error, { key: instance.key });
    } else if (path.length > 0) {
      // Only what depends on the whole module depends on the object.
      walk.faults.add(`${formatModulePath(path)} (close)`, error);
    }
    throw error;
  }
}
