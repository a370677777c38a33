// SPDX-License-Identifier: Apache-2.0
import { mark, unknown, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import { impliedType } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import { EPHEMERAL } from "../marks/value-marks.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Defers the changes of a resource whose instances are not known yet, or whose module's instances are not. Existing objects stay as they are. The
 * provider is not asked: it could not be, as long as the values of `count.index` or `each` are unknown. Returns the value, with marks, that
 * every instance has: the configured values, and unknown values for the rest.
 */
export async function deferUnknownInstances(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value> {
  const { scope, block, address, data, text, configText } = node;
  const schema = await walk.providers.resourceSchema(block);
  const type = impliedType(schema);
  if (block.address.mode === "ephemeral") {
    run.deferDependents(configText);
    return mark(unknown(type), EPHEMERAL);
  }
  if (run.settings.mode === "refreshOnly") return unknown(type);
  const decoded = await scope.decode(block.config, schema, data, { address: text });
  scope.settle(undefined, decoded.diagnostics);
  const [config, configMarks] = unmarkDeepWithPaths(decoded.value);
  const after = plannedUnknownObject(schema, config);
  const afterMarks = combineMarks(configMarks, schemaMarks(schema, after));
  const isManaged = block.address.mode === "managed";
  run.defer({
    reason: "instanceCountUnknown",
    change: {
      address: { instance: address },
      previousAddress: address,
      provider: walk.providers.providerConfigOf(node),
      action: isManaged ? "create" : "read",
      before: valueOf(type, null),
      after,
      beforeMarks: [],
      afterMarks,
      requiresReplace: [],
      ...(isManaged ? { type: await walk.providers.unconfiguredType(node) } : { dataSchema: schema }),
      dependencies: run.dependenciesOf(node),
      createBeforeDestroy: false,
      skipDestroy: false,
    },
  });
  return withPathMarks(after, afterMarks);
}
