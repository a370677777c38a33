// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { impliedType } from "@tenon/schema";
import { dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { combineMarks, schemaMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { createStateObject, withAttributes } from "../state/state-object.ts";
import { addCheckRead, checkWarnings } from "../walk/check-blocks.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ApplyRun } from "./apply-run.ts";

/**
 * Reads a data source that the plan left to the apply, once its dependencies have been changed. Returns the value, with marks, that references to the data
 * source get.
 */
export async function applyDataInstance(run: ApplyRun, node: InstanceNode, change: ResourceChange): Promise<Value> {
  const { walk, state } = run;
  const { scope, block } = node;
  const { provider, address } = await walk.providers.providerOf(node);
  const schema = await walk.providers.resourceSchema(block);
  await waitForExplicitDependencies(walk, scope, block);
  await run.steps.waitForStepsBefore(node.text);
  const decoded = await scope.decode(block.config, schema, node.data);
  await run.steps.waitForDependencies(change);
  await walk.checkRules(node, "Resource precondition");
  scope.settle(undefined, decoded.diagnostics);
  const [config, marks] = unmarkDeepWithPaths(decoded.value);
  const type = await dataSourceType(provider, block.address.type, { providerAddress: formatProviderConfig(address.config) });
  const object: ResourceInstanceObject = { instance: node.address };
  const outcome = await run.concurrency.run(async () => {
    run.checkStopped();
    const progress = run.progress(object, "read", change);
    progress.start();
    try {
      const meta = await walk.providers.providerMeta(node.address, address.config.provider);
      const read = await readDataSource(type, config, { address: node.text, ...meta, ...run.signal });
      const readMarks = read.value && combineMarks(marks, schemaMarks(schema, read.value));
      progress.end(read.value === undefined ? "failed" : "applied", read.value, readMarks);
      return read;
    } finally {
      progress.end("failed", undefined);
    }
  });
  const located = locateDiagnostics(outcome.diagnostics, block.config, node.text);
  if (block.check !== undefined) {
    run.report.push(...checkWarnings(node, block.check, located));
    addCheckRead(walk, node, block.check, located);
    if (outcome.value === undefined) throw new UpstreamError();
  } else scope.settle(undefined, located);
  const value = outcome.value!;
  const combined = combineMarks(marks, schemaMarks(schema, value));
  const stored = withAttributes(createStateObject({}, { sensitivePaths: sensitivePathsOf(value, marks) }), value, impliedType(schema));
  state.set(object, stored, address);
  await state.flush();
  const marked = withPathMarks(value, combined);
  await walk.checkRules(node, "Resource postcondition", marked);
  return marked;
}
