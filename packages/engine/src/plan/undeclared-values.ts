// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { InstanceKey } from "../address/instance-key.ts";
import { formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { resourceIn, type State } from "../state/state.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { markedValue } from "./stored-resource.ts";

/**
 * The values, with marks, of the objects of a resource that a state has and the configuration does not declare any more, by instance key.
 *
 * @param isKept Whether the object of an instance stays in the state.
 * @see OpenTofu evaluate.go, GetResource
 */
export async function undeclaredValues(
  state: State,
  walk: ResourceWalk,
  scope: ModuleScope,
  block: ResourceBlock,
  isKept: (instance: ResourceInstance) => boolean = () => true,
): Promise<ReadonlyMap<InstanceKey, Value>> {
  const address = { module: scope.instance, resource: block.address };
  const recorded = resourceIn(state, address);
  const { instances: declared } = await walk.resource(scope, block);
  const left = [...(recorded?.instances.values() ?? [])].filter(
    ({ key, current }) => current !== undefined && !declared.has(key) && isKept({ ...address, ...(key !== undefined && { key }) }),
  );
  if (left.length === 0) return new Map();
  const schema = await walk.providers.resourceSchema(block);
  return new Map(left.map(({ key, current }) => [key, markedValue(schema, current!)]));
}

/** Returns whether changes leave the current object of an instance as it is. */
export function unchangedBy(changes: readonly ResourceChange[]): (instance: ResourceInstance) => boolean {
  let changed: ReadonlySet<string> | undefined;
  return (instance) => {
    changed ??= new Set(changes.flatMap(({ address }) => (address.deposed === undefined ? formatResourceInstance(address.instance) : [])));
    return !changed.has(formatResourceInstance(instance));
  };
}
