// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, unmarkDeep, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import { attributeAt, impliedType, type Diagnostic } from "@tenon/schema";
import { planChange, type PlannedChange, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";
import { UpstreamError } from "../evaluation/cell.ts";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import { EPHEMERAL, containsMarkOf } from "../marks/value-marks.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { settleInstance, type InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ManagedObject } from "./existing-object.ts";
import { withIgnoredChanges } from "./ignore-changes.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";

/** The change that a provider has planned for the configuration of an instance. */
export interface ConfiguredPlan {
  readonly change: PlannedChange;
  /** Marks of the configuration. */
  readonly configMarks: readonly PathMarks[];
  /** Marks of the configuration and of the schema. */
  readonly marks: readonly PathMarks[];
  /** See `ResourceChange.validatedConfig`. */
  readonly validatedConfig: Value | undefined;
}

/** An instance, and the object that it has or gets. */
interface PlannedInstance {
  readonly node: InstanceNode;
  readonly managed: ManagedObject;
}

interface InstancePlanOptions {
  readonly prior: ResourceObject | undefined;
  /** Marks of the prior object, which ignored attributes keep. */
  readonly priorMarks: readonly PathMarks[];
  readonly forceReplace: boolean;
}

/**
 * Evaluates the configuration of an instance, and lets its provider plan the change.
 *
 * @throws UpstreamError after an error, which is reported.
 */
export async function planConfiguredChange(
  run: PlanRun,
  walk: ResourceWalk,
  { node, managed }: PlannedInstance,
  { prior, priorMarks, forceReplace }: InstancePlanOptions,
): Promise<ConfiguredPlan> {
  const { type } = managed;
  const config = await decodedConfig(walk, node, type);
  const schema = type.schema.block;
  const ignored = node.block.managed?.ignoreChanges ?? { all: false, paths: [] };
  const priorValue = prior?.status === "ready" ? withPathMarks(prior.value, priorMarks) : valueOf(impliedType(schema), null);
  const [, configMarks] = unmarkDeepWithPaths(withIgnoredChanges(ignored, priorValue, config, schema));
  const [plain] = unmarkDeep(config);
  const common = operationOptions(run, walk, managed);
  const { planned, diagnostics } = await planChange(type, {
    ...(common instanceof Promise ? await common : common),
    prior,
    config: plain,
    forceReplace,
    ignoreChanges: (before, value, of) => withIgnoredChanges(ignored, before, value, of === "config" ? schema : undefined),
  });
  settleInstance(node, locateDiagnostics(diagnostics, node.block.config, node.text));
  if (planned === undefined) throw new UpstreamError();
  const isValidated = diagnostics.length === 0 && isWhollyKnown(plain) && !containsMarkOf(config, EPHEMERAL);
  return {
    change: planned,
    configMarks,
    marks: combineMarks(configMarks, schemaMarks(schema, planned.after)),
    validatedConfig: isValidated ? plain : undefined,
  };
}

/** The configuration of an instance, with marks. Reports ephemeral values in attributes that are not write-only. */
async function decodedConfig(walk: ResourceWalk, node: InstanceNode, type: ResourceType): Promise<Value> {
  const { scope, block, data, text } = node;
  const { value, diagnostics } = await scope.decode(block.config, type.schema.block, data, { address: text });
  settleInstance(node, diagnostics);
  if (!containsMarkOf(value, EPHEMERAL)) return value;
  const problems: Diagnostic[] = [];
  for (const { path, marks } of unmarkDeepWithPaths(value)[1]) {
    if (!marks.has(EPHEMERAL) || attributeAt(type.schema.block, path)?.writeOnly === true) continue;
    const detail =
      "The value of this attribute is derived from an ephemeral value, which can be used only in write-only attributes of a managed resource.";
    problems.push({ severity: "error", summary: "Ephemeral value used in non-ephemeral context", detail, attribute: path });
  }
  walk.root.settle(undefined, locateDiagnostics(problems, block.config, text));
  return value;
}
