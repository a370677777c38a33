// SPDX-License-Identifier: Apache-2.0
import { unknown, type Value } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import type { InstanceNode, ResourceWalk } from "../walk/resource-walk.ts";
import type { PlanRun } from "./plan-run.ts";
import { markedValue } from "./stored-resource.ts";

/** The value of an instance that the plan does not include: the value in the state, or unknown for an object that the state does not record. */
export async function recordedValue(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value> {
  const schema = await walk.resourceSchema(node.block);
  const stored = run.previous.object({ instance: node.address });
  if (stored === undefined || node.block.address.mode !== "managed") return unknown(impliedType(schema));
  return markedValue(schema, stored);
}
