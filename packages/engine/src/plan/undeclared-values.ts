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
  const { instances: declared } = await walk.resource(scope, block);
  return recordedValues(state, walk, scope, block, (instance) => !declared.has(instance.key) && isKept(instance));
}

/** The values, with marks, of the objects of a resource that a state has, by instance key. Default: of all instances. */
export async function recordedValues(
  state: State,
  walk: ResourceWalk,
  scope: ModuleScope,
  block: ResourceBlock,
  includes: (instance: ResourceInstance) => boolean = () => true,
): Promise<ReadonlyMap<InstanceKey, Value>> {
  const address = { module: scope.instance, resource: block.address };
  const included = [...(resourceIn(state, address)?.instances.values() ?? [])].filter(
    ({ key, current }) => current !== undefined && includes({ ...address, ...(key !== undefined && { key }) }),
  );
  if (included.length === 0) return new Map();
  const schema = await walk.providers.resourceSchema(block);
  return new Map(included.map(({ key, current }) => [key, markedValue(schema, current!)]));
}

/** Returns whether changes leave the current object of an instance as it is. */
export function unchangedBy(changes: readonly ResourceChange[]): (instance: ResourceInstance) => boolean {
  let changed: ReadonlySet<string> | undefined;
  return (instance) => {
    changed ??= new Set(changes.flatMap(({ address }) => (address.deposed === undefined ? formatResourceInstance(address.instance) : [])));
    return !changed.has(formatResourceInstance(instance));
  };
}
