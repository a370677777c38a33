// SPDX-License-Identifier: Apache-2.0
import { unknown, type Value } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { PlanRun } from "./plan-run.ts";
import { markedValue } from "./stored-resource.ts";

/** The value in the state of an instance that the plan does not include; undefined if the state has no such object. */
export async function recordedValue(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value | undefined> {
  const schema = await walk.providers.resourceSchema(node.block);
  if (node.block.address.mode !== "managed") return unknown(impliedType(schema));
  const stored = run.previous.object({ instance: node.address });
  return stored && markedValue(schema, stored);
}
