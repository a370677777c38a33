// SPDX-License-Identifier: Apache-2.0
import { mark, unknown, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import { impliedType, type Block, type Deferred } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import type { Importing, ResourceChange } from "../change/planned-changes.ts";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import { EPHEMERAL } from "../marks/value-marks.ts";
import { settleInstance, type InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ManagedObject } from "./existing-object.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Defers the changes of a resource whose instances are not known yet, because its own repetition or that of a module is not. Existing objects
 * are not changed, and the provider is not called. Returns the value, with marks, of each instance: the configured values, and unknown values
 * for the rest.
 */
export async function deferUnknownInstances(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value> {
  const { block, configText } = node;
  const schema = await walk.providers.resourceSchema(block);
  if (block.address.mode === "ephemeral") {
    run.deferDependents(configText);
    return mark(unknown(impliedType(schema)), EPHEMERAL);
  }
  if (run.settings.mode === "refreshOnly") return unknown(impliedType(schema));
  const isManaged = block.address.mode === "managed";
  const change = await unplannedChange(run, node, schema, {
    provider: walk.providers.providerConfigOf(node),
    action: isManaged ? "create" : "read",
    ...(isManaged ? { type: await walk.providers.unconfiguredType(node) } : { dataSchema: schema }),
  });
  run.defer({ reason: "instanceCountUnknown", change });
  return withPathMarks(change.after, change.afterMarks);
}

/**
 * Defers the import of an object that its provider cannot import yet. Returns the value, with marks, that references to the instance get: the
 * configured values, and unknown values for the rest.
 */
export async function deferImport(
  run: PlanRun,
  node: InstanceNode,
  { type, provider }: ManagedObject,
  { importing, reason }: { readonly importing: Importing; readonly reason: Deferred["reason"] },
): Promise<Value> {
  const schema = type.schema.block;
  if (run.settings.mode === "refreshOnly") return unknown(impliedType(schema));
  const change = await unplannedChange(run, node, schema, { provider: provider.address, action: "noOp", importing, type });
  run.defer({ reason, change });
  return withPathMarks(change.after, change.afterMarks);
}

/** A change that the provider has not planned. Its new object has the configured values, and unknown values for the rest. */
async function unplannedChange(
  run: PlanRun,
  node: InstanceNode,
  schema: Block,
  details: Pick<ResourceChange, "provider" | "action" | "type" | "dataSchema" | "importing">,
): Promise<ResourceChange> {
  const { scope, block, address, data, text } = node;
  const decoded = await scope.decode(block.config, schema, data, { address: text });
  settleInstance(node, decoded.diagnostics);
  const [config, configMarks] = unmarkDeepWithPaths(decoded.value);
  const type = impliedType(schema);
  const after = block.isGenerated === true ? unknown(type) : plannedUnknownObject(schema, config);
  return {
    address: { instance: address },
    previousAddress: address,
    before: valueOf(type, null),
    after,
    beforeMarks: [],
    afterMarks: combineMarks(configMarks, schemaMarks(schema, after)),
    requiresReplace: [],
    dependencies: run.dependenciesOf(node),
    createBeforeDestroy: false,
    skipDestroy: false,
    ...details,
  };
}
