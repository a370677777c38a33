// SPDX-License-Identifier: Apache-2.0
// Changes that providers defer to a later plan, and the changes that must wait for them.
import type { Deferred } from "@tenon/schema";
import { modulePathOf } from "../address/module.ts";
import {
  configResourceOf,
  formatConfigResource,
  formatResourceInstanceObject,
  isUnknownInstance,
  type ResourceInstance,
} from "../address/resource.ts";
import type { DeferralReason, ResourceChange } from "../change/planned-changes.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Records a change. Defers it instead if the provider defers it, or if a resource that it depends on is deferred. A change that leaves its
 * object as it is waits for no other resource.
 *
 * @param deferred The provider's answer that it defers the change.
 */
export function addOrDefer(run: PlanRun, change: ResourceChange, deferred: Deferred | undefined): void {
  const reason = deferred?.reason ?? (change.action === "noOp" ? undefined : prerequisiteReason(run, change.address.instance));
  if (reason === undefined) run.add(change);
  else run.defer({ reason, change });
}

/** The reason for an instance that depends on a deferred resource; undefined if it depends on none. */
function prerequisiteReason(run: PlanRun, { module, resource }: ResourceInstance): DeferralReason | undefined {
  if (!run.hasDeferrals) return undefined;
  const node = run.graph.resource({ module: modulePathOf(module), resource });
  if (node === undefined) return undefined;
  for (const { resource: ancestor } of run.graph.ancestors(node)) {
    if (ancestor !== undefined && run.isDeferred(formatConfigResource(ancestor))) return "deferredPrerequisite";
  }
  return undefined;
}

/** Defers the destruction of all objects that deferred objects depend on, since the deferred objects continue to exist. */
export function deferDependencies(run: PlanRun): void {
  if (run.deferred.size === 0) return;
  for (;;) {
    const needed = new Set([...run.deferred.values()].flatMap(({ change }) => recordedDependencies(run, change)));
    const waiting = [...run.changes.values()].filter(({ address, action }) => {
      const { module, resource } = address.instance;
      const destroys = action === "delete" || action === "deleteThenCreate" || action === "createThenDelete";
      return destroys && needed.has(formatConfigResource({ module: modulePathOf(module), resource }));
    });
    if (waiting.length === 0) return;
    for (const change of waiting) {
      run.changes.delete(formatResourceInstanceObject(change.address));
      run.defer({ reason: "deferredPrerequisite", change });
    }
  }
}

/** The resources that the existing object of a change depends on; of a resource with unknown instances, those of all its objects. */
function recordedDependencies(run: PlanRun, { address }: ResourceChange): readonly string[] {
  const { instance } = address;
  if (!isUnknownInstance(instance)) return run.previous.object(address)?.dependencies ?? [];
  const text = formatConfigResource(configResourceOf(instance));
  const stored = [...run.previous.snapshot().resources.values()].filter(
    (resource) => formatConfigResource(configResourceOf(resource.address)) === text,
  );
  const objects = stored.flatMap(({ instances }) =>
    [...instances.values()].flatMap(({ current, deposed }) => [current, ...deposed.values()]),
  );
  return objects.flatMap((object) => object?.dependencies ?? []);
}
