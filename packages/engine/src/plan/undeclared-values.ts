// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { InstanceKey } from "../address/instance-key.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { resourceIn, type State } from "../state/state.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { markedValue } from "./stored-resource.ts";

/**
 * The values, with marks, of the objects of a resource that a state has and the configuration does not declare any more, by instance key.
 *
 * @see OpenTofu evaluate.go, GetResource
 */
export async function undeclaredValues(
  state: State,
  walk: ResourceWalk,
  scope: ModuleScope,
  block: ResourceBlock,
): Promise<ReadonlyMap<InstanceKey, Value>> {
  const recorded = resourceIn(state, { module: scope.instance, resource: block.address });
  const { instances: declared } = await walk.resource(scope, block);
  const left = [...(recorded?.instances.values() ?? [])].filter(({ key, current }) => current !== undefined && !declared.has(key));
  if (left.length === 0) return new Map();
  const schema = await walk.providers.resourceSchema(block);
  return new Map(left.map(({ key, current }) => [key, markedValue(schema, current!)]));
}
