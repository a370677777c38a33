// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import type { Block } from "@tenon/schema";
import type { Importing } from "../change/planned-changes.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { combineMarks, schemaMarks, sensitiveMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { importedObject, resolvedImport, setRefreshed } from "./existing-object.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Imports an object into an instance of a managed resource, without planning a change. Returns the value, with marks, that references to the instance get.
 *
 * @see OpenTofu node_resource_import.go
 */
export async function importInstance(run: PlanRun, walk: ResourceWalk, node: InstanceNode, importing: Importing): Promise<Value> {
  const managed = { address: { instance: node.address }, text: node.text, ...(await walk.providers.resourceType(node)) };
  const imported = await importedObject(run, walk, managed, resolvedImport(walk, managed, importing));
  // Only a caller that allows deferral gets another result.
  if (!("object" in imported)) throw new UpstreamError();
  const { block } = managed.type.schema;
  const { value } = imported.object;
  const marks = combineMarks(
    combineMarks(sensitiveMarks(imported.record.sensitivePaths), await configuredMarks(node, block)),
    schemaMarks(block, value),
  );
  const record = { ...imported.record, sensitivePaths: sensitivePathsOf(value, marks) };
  setRefreshed(run, managed, { object: imported.object, record });
  return withPathMarks(value, marks);
}

/** The marks of the arguments of the block. Does not report errors of the block, because an import does not need a complete block. */
async function configuredMarks({ scope, block }: InstanceNode, schema: Block): Promise<readonly PathMarks[]> {
  try {
    // As in OpenTofu, the arguments are evaluated without `count` and `each`.
    const { value } = await scope.decode(block.config, schema);
    return unmarkDeepWithPaths(value)[1];
  } catch (error) {
    if (error instanceof UpstreamError) return [];
    throw error;
  }
}
