// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstance, type ResourceInstanceObject } from "@tenon/engine/address";
import type { UiMessage } from "@tenon/engine/documents";
import { sortedInstances, sortedResources, type State } from "@tenon/engine/state";

/** Formats an object: the instance, and the ID of a deposed one. */
export function formatRemainingObject({ instance, deposed }: ResourceInstanceObject): string {
  return `${formatResourceInstance(instance)}${deposed === undefined ? "" : ` (${deposed})`}`;
}

/** Describes an object in the log. */
export function remainingObjectDocument({ instance, deposed }: ResourceInstanceObject): UiMessage {
  return { instance: formatResourceInstance(instance), ...(deposed !== undefined && { deposed_key: deposed }) };
}

/** The objects of the managed resources of a state. @see OpenTofu states, AllResourceInstanceObjectAddrs */
export function remainingObjects(state: State): readonly ResourceInstanceObject[] {
  const objects: ResourceInstanceObject[] = [];
  for (const resource of sortedResources(state)) {
    if (resource.address.resource.mode !== "managed") continue;
    for (const { key, current, deposed } of sortedInstances(resource)) {
      const instance = { ...resource.address, ...(key !== undefined && { key }) };
      if (current !== undefined) objects.push({ instance });
      for (const id of deposed.keys()) objects.push({ instance, deposed: id });
    }
  }
  return objects;
}
