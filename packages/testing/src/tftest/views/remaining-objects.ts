// SPDX-License-Identifier: Apache-2.0
import type { ResourceInstanceObject } from "@tenon/engine/address";
import { sortedInstances, sortedResources, type State } from "@tenon/engine/state";

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
