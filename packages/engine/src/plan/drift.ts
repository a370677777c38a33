// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { impliedType } from "@tenon/schema";
import {
  compareResourceInstances,
  formatResourceInstance,
  type ResourceInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import { currentIdentity, currentValue } from "./stored-resource.ts";
import { combineMarks, schemaMarks, sensitiveMarks } from "../marks/object-marks.ts";
import type { PlanRun } from "./plan-run.ts";
import type { Drift } from "../change/planned-changes.ts";

/** Orders objects by address, the current one of an instance before its deposed ones. */
export function compareObjects(a: ResourceInstanceObject, b: ResourceInstanceObject): number {
  const order = compareResourceInstances(a.instance, b.instance);
  if (order !== 0) return order;
  return (a.deposed ?? "") < (b.deposed ?? "") ? -1 : a.deposed === b.deposed ? 0 : 1;
}

function identityAs<Name extends string>(name: Name, identity: Value | undefined): { readonly [Key in Name]?: Value } {
  return (identity === undefined ? {} : { [name]: identity }) as { readonly [Key in Name]?: Value };
}

/**
 * The current objects that changed outside of OpenTofu or were moved: their values in the state before the plan, and as the providers report them.
 *
 * @see OpenTofu context_plan.go, driftedResources
 */
export function driftOf({ previous, refreshed, types, moved }: PlanRun): readonly Drift[] {
  const drift: Drift[] = [];
  for (const { address, instances, provider } of previous.snapshot().resources.values()) {
    if (address.resource.mode !== "managed") continue;
    for (const { key, providerKey, current: stored } of instances.values()) {
      if (stored === undefined) continue;
      const instance: ResourceInstance = { ...address, ...(key !== undefined && { key }) };
      const text = formatResourceInstance(instance);
      const before = moved.get(text) ?? instance;
      const type = types.get(text);
      if (type === undefined) continue;
      const now = refreshed.object({ instance });
      const [was, is] = [currentValue(type, stored), now && currentValue(type, now)];
      if (is !== undefined && (was === is || same(was, is)) && before === instance) continue;
      const block = type.schema.block;
      drift.push({
        address: { instance },
        previousAddress: before,
        provider: { config: provider, ...(providerKey !== undefined && { key: providerKey }) },
        action: is === undefined ? "delete" : same(was, is) ? "noOp" : "update",
        before: was,
        after: is ?? valueOf(impliedType(block), null),
        ...identityAs("beforeIdentity", currentIdentity(type, stored)),
        ...identityAs("afterIdentity", now && currentIdentity(type, now)),
        beforeMarks: combineMarks(sensitiveMarks(stored.sensitivePaths), schemaMarks(block, was)),
        afterMarks: is === undefined ? [] : combineMarks(sensitiveMarks(now!.sensitivePaths), schemaMarks(block, is)),
        type,
      });
    }
  }
  return drift.sort((a, b) => compareObjects(a.address, b.address));
}
