// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, unmarkDeep, type Value } from "@tenon/cty";
import { unknownAsNull, unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, impliedType, type Block } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import { dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import { formatConfigResource, formatResource, type ResourceInstanceObject } from "../address/resource.ts";
import { hasConditions } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { referencesOf, referencesOfBody, referencesOfTraversals } from "../evaluation/references.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { formatInModulePath, isSameModuleInstance, isSameModulePath, modulePathOf } from "../address/module.ts";
import { locateDiagnostics, type AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { createStateObject, withAttributes } from "../state/state-object.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import { configAddressOf, settleInstance, type InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ConfiguredProvider } from "../walk/walk-providers.ts";
import { objectIdentifier } from "../events/object-identifier.ts";
import { combineMarks, schemaMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import type { ActionReason, ResourceChange } from "../change/planned-changes.ts";
import { addCheckRead, checkWarnings } from "../walk/check-blocks.ts";
import { addOrDefer } from "./deferral.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Reads a data source. Leaves that to apply if its configuration is not known yet, or if something that it depends on has a planned change.
 * Returns the value, with marks, that references to the data source get.
 *
 * @see OpenTofu node_resource_abstract_instance.go, planDataSource
 */
export async function planDataInstance(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value | undefined> {
  const { block } = node;
  const data = await evaluateData(walk, node);
  const isKnown = isWhollyKnown(data.config);
  if ((await dependenciesPending(run, walk, node, data.schema)) || !isKnown) return leaveToApply(run, walk, node, data, isKnown);
  const { value, diagnostics, deferred } = await readNow(run, walk, node, data);
  const located = locateDiagnostics(diagnostics, block.config, node.text);
  if (block.check !== undefined) return planCheckRead(run, walk, node, data, value, located);
  settleInstance(node, located);
  if (deferred !== undefined) {
    if (run.settings.mode === "refreshOnly") return undefined;
    const change = readChange(run, node, data, plannedUnknownObject(data.schema, data.config));
    run.defer({ reason: deferred.reason, change });
    run.refreshed.removeObject({ instance: node.address });
    return withPathMarks(change.after, change.afterMarks);
  }
  if (value === undefined) throw new UpstreamError();
  setState(run, node, data, value);
  const marked = markedData(data, value);
  await walk.checkRules(node, "Resource postcondition", marked);
  return marked;
}

/** A data source whose configuration is evaluated. */
interface EvaluatedData {
  readonly provider: ConfiguredProvider;
  readonly schema: Block;
  /** The configuration without marks. */
  readonly config: Value;
  readonly configMarks: readonly PathMarks[];
}

/** Evaluates the configuration of a data source, once all that it depends on is evaluated and its preconditions hold. */
async function evaluateData(walk: ResourceWalk, node: InstanceNode): Promise<EvaluatedData> {
  const { scope, block } = node;
  const provider = await walk.providers.providerOf(node);
  const schema = await walk.providers.resourceSchema(block);
  await waitForExplicitDependencies(walk, scope, block);
  await walk.checkRules(node, "Resource precondition");
  const decoded = await scope.decode(block.config, schema, node.data, { address: node.text });
  settleInstance(node, decoded.diagnostics);
  const [config, configMarks] = unmarkDeepWithPaths(decoded.value);
  return { provider, schema, config, configMarks };
}

/** The planned read of a data source, as a change. */
function readChange(
  run: PlanRun,
  node: InstanceNode,
  { provider, schema, configMarks }: EvaluatedData,
  after: Value,
  reason?: ActionReason,
): ResourceChange {
  return {
    address: { instance: node.address },
    previousAddress: run.previousAddress(node.address),
    provider: provider.address,
    action: "read",
    ...(reason && { reason }),
    before: valueOf(impliedType(schema), null),
    after,
    beforeMarks: [],
    // Plan and state have the marks of the configuration alone; references to the object also see those of the schema.
    afterMarks: configMarks,
    requiresReplace: [],
    dataSchema: schema,
    dependencies: run.declaredDependenciesOf(node),
    createBeforeDestroy: false,
    skipDestroy: false,
  };
}

/** The value of a data source for references to it, with the marks of its configuration and its schema. */
function markedData({ schema, configMarks }: EvaluatedData, value: Value): Value {
  return withPathMarks(value, combineMarks(configMarks, schemaMarks(schema, value)));
}

/** Plans that a data source is read during the apply. A refresh-only plan omits the read, because its apply reads nothing. */
function leaveToApply(run: PlanRun, walk: ResourceWalk, node: InstanceNode, data: EvaluatedData, isKnown: boolean): Value | undefined {
  const { check } = node.block;
  let value: Value | undefined;
  if (run.settings.mode !== "refreshOnly") {
    const reason = isKnown ? "read_because_dependency_pending" : "read_because_config_unknown";
    const change = readChange(run, node, data, plannedUnknownObject(data.schema, data.config), reason);
    addOrDefer(run, change, undefined);
    value = markedData(data, change.after);
  }
  run.refreshed.removeObject({ instance: node.address });
  if (check !== undefined) addCheckRead(walk, node, check, []);
  return value;
}

/** Reads a data source with its provider. */
async function readNow(
  run: PlanRun,
  walk: ResourceWalk,
  node: InstanceNode,
  { provider, schema, config, configMarks }: EvaluatedData,
): ReturnType<typeof readDataSource> {
  const address: ResourceInstanceObject = { instance: node.address };
  const type = await dataSourceType(provider.provider, node.block.address.type, {
    providerAddress: formatProviderConfig(provider.address.config),
  });
  run.emit({ type: "readStarted", address });
  const start = performance.now();
  const outcome = await readDataSource(type, config, await operationOptions(run, walk, { address, text: node.text, provider }));
  const { value } = outcome;
  const identifier = objectIdentifier(value, value && combineMarks(configMarks, schemaMarks(schema, value)));
  run.emit({ type: "readEnded", address, value, milliseconds: performance.now() - start, ...(identifier && { identifier }) });
  return outcome;
}

/** Plans that the data source of a check is read again during the apply. Its errors are warnings. */
function planCheckRead(
  run: PlanRun,
  walk: ResourceWalk,
  node: InstanceNode,
  data: EvaluatedData,
  value: Value | undefined,
  diagnostics: readonly AddressedDiagnostic[],
): Value {
  const check = node.block.check!;
  settleInstance(node, checkWarnings(node, check, diagnostics));
  addCheckRead(walk, node, check, diagnostics);
  const change = readChange(run, node, data, value ?? plannedUnknownObject(data.schema, data.config), "read_because_check_nested");
  if (run.settings.mode !== "refreshOnly") run.add(change);
  setState(run, node, data, change.after);
  if (hasErrors(diagnostics)) throw new UpstreamError();
  return markedData(data, change.after);
}

/** Sets the value of a data source in the refreshed state. What is unknown, because a read for a check has failed, becomes null. */
function setState(run: PlanRun, { address }: InstanceNode, { provider, schema, configMarks }: EvaluatedData, value: Value): void {
  const plain = unknownAsNull(unmarkDeep(value)[0]);
  const empty = createStateObject({}, { sensitivePaths: sensitivePathsOf(plain, configMarks) });
  run.refreshed.setObject({ instance: address }, withAttributes(empty, plain, impliedType(schema)), provider.address);
}

/**
 * Whether a resource that a data source depends on explicitly, or a managed resource that it refers to directly, has a planned change. The
 * objects of these resources that the configuration does not declare any more are planned before.
 *
 * @throws UpstreamError if one of these objects cannot be planned.
 * @see OpenTofu node_resource_abstract_instance.go, dependenciesHavePendingChanges
 */
export async function dependenciesPending(run: PlanRun, walk: ResourceWalk, node: InstanceNode, schema: Block): Promise<boolean> {
  const { block, scope } = node;
  const resources = hasConditions(block) ? run.dependenciesOf(node) : explicitDependencies(run, node, schema);
  await walk.waitForResources(resources);
  await run.planOrphansOf(resources);
  for (const resource of resources) {
    for (const { address, action } of run.changesOf(resource)) {
      if (address.deposed !== undefined) continue;
      const { module } = address.instance;
      const isOtherInstance =
        isSameModulePath(modulePathOf(module), scope.configuration.path) && !isSameModuleInstance(module, node.address.module);
      if (!isOtherInstance && action !== "noOp" && address.instance.resource.mode !== block.address.mode) return true;
    }
  }
  return false;
}

/**
 * The resources that `depends_on` of the block or of a call of its module names, the resources that any other object named there depends on,
 * for a call also those that a named resource depends on, and the managed resources that the block itself refers to, also in its repetition.
 *
 * @see OpenTofu transform_reference.go, dependsOn and parentModuleDependsOn
 */
function explicitDependencies(run: PlanRun, { scope, block }: InstanceNode, schema: Block): readonly string[] {
  const dependencies = new Set<string>();
  const addResources = (node: DependencyNode | undefined, isOfCall: boolean): void => {
    if (node === undefined) return;
    if (node.resource !== undefined) dependencies.add(formatConfigResource(node.resource));
    if (node.resource === undefined || isOfCall) for (const one of run.resourcesBefore(node)) dependencies.add(one);
  };
  for (let at: typeof scope | undefined = scope, traversals = block.dependsOn; at !== undefined;) {
    for (const { reference } of referencesOfTraversals(traversals).references) {
      addResources(run.graph.target(at.configuration, reference), at !== scope);
    }
    traversals = at.caller?.call.dependsOn ?? [];
    at = at.caller?.scope;
  }
  const expressions = [block.count, block.forEach, block.enabled, block.providerReference?.key].filter((one) => one !== undefined);
  const direct = [referencesOfBody(block.config, decoderSpec(schema)), ...expressions.map(referencesOf)];
  for (const { reference } of direct.flatMap(({ references }) => references)) {
    const { subject } = reference;
    if ((subject.kind === "resource" || subject.kind === "resourceInstance") && subject.resource.mode === "managed") {
      dependencies.add(formatInModulePath(scope.configuration.path, formatResource(subject.resource)));
    }
  }
  dependencies.delete(configAddressOf({ scope, block }));
  return [...dependencies];
}
