// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, unmarkDeep, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, impliedType, type Block } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import { dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import { formatResource, type ResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { referencesOf, referencesOfBody, referencesOfTraversals } from "../evaluation/references.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { formatInModulePath, isSameModuleInstance, isSameModulePath, modulePathOf } from "../address/module.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { createStateObject, withAttributes } from "../state/state-object.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import { configAddressOf, type InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
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
  const { scope, block } = node;
  const provider = await walk.providers.providerOf(node);
  const schema = await walk.providers.resourceSchema(block);
  await waitForExplicitDependencies(walk, scope, block);
  await walk.checkRules(node, "Resource precondition");
  const decoded = await scope.decode(block.config, schema, node.data, { address: node.text });
  scope.settle(undefined, decoded.diagnostics);
  const [config, configMarks] = unmarkDeepWithPaths(decoded.value);
  const nothing = valueOf(impliedType(schema), null);
  const isKnown = isWhollyKnown(config);
  const isPending = dependenciesPending(run, node, schema);
  const object: ResourceInstanceObject = { instance: node.address };

  const deferred = (after: Value, reason?: ActionReason): ResourceChange => ({
    address: object,
    previousAddress: run.previousAddress(node.address),
    provider: provider.address,
    action: "read",
    ...(reason && { reason }),
    before: nothing,
    after,
    beforeMarks: [],
    // Plan and state have the marks of the configuration alone; references to the object also see those of the schema.
    afterMarks: configMarks,
    requiresReplace: [],
    dataSchema: schema,
    dependencies: [],
    createBeforeDestroy: false,
    skipDestroy: false,
  });
  if (!isKnown || isPending) {
    if (run.settings.mode === "refreshOnly") {
      run.refreshed.removeObject(object);
      if (block.check !== undefined) addCheckRead(walk, node, block.check, []);
      return undefined;
    }
    const change = deferred(
      plannedUnknownObject(schema, config),
      isKnown ? "read_because_dependency_pending" : "read_because_config_unknown",
    );
    addOrDefer(run, change, undefined);
    run.refreshed.removeObject(object);
    if (block.check !== undefined) addCheckRead(walk, node, block.check, []);
    return withPathMarks(change.after, combineMarks(configMarks, schemaMarks(schema, change.after)));
  }

  const type = await dataSourceType(provider.provider, block.address.type, {
    providerAddress: formatProviderConfig(provider.address.config),
  });
  run.emit({ type: "readStarted", address: object });
  const start = performance.now();
  const options = await operationOptions(run, walk, { address: object, text: node.text, provider });
  const { value, diagnostics, deferred: providerDeferral } = await readDataSource(type, config, options);
  const identifier = objectIdentifier(value, value && combineMarks(configMarks, schemaMarks(schema, value)));
  run.emit({ type: "readEnded", address: object, value, milliseconds: performance.now() - start, ...(identifier && { identifier }) });
  const located = locateDiagnostics(diagnostics, block.config, node.text);
  if (block.check !== undefined) {
    // The data source of a check block is read again during apply, and its errors are warnings.
    walk.report.push(...checkWarnings(node, block.check, located));
    addCheckRead(walk, node, block.check, located);
    const change = deferred(value ?? plannedUnknownObject(schema, config), "read_because_check_nested");
    if (run.settings.mode !== "refreshOnly") run.add(change);
    if (hasErrors(diagnostics)) throw new UpstreamError();
    setState(run, node, provider.address, schema, change.after, configMarks);
    return withPathMarks(change.after, combineMarks(configMarks, schemaMarks(schema, change.after)));
  }
  scope.settle(undefined, located);
  if (providerDeferral !== undefined) {
    if (run.settings.mode === "refreshOnly") return undefined;
    const change = deferred(plannedUnknownObject(schema, config));
    run.defer({ reason: providerDeferral.reason, change });
    run.refreshed.removeObject(object);
    return withPathMarks(change.after, change.afterMarks);
  }
  if (value === undefined) throw new UpstreamError();
  setState(run, node, provider.address, schema, value, configMarks);
  const marked = withPathMarks(value, combineMarks(configMarks, schemaMarks(schema, value)));
  await walk.checkRules(node, "Resource postcondition", marked);
  return marked;
}

/** Sets the value of a data source in the refreshed state. */
function setState(
  run: PlanRun,
  { address }: InstanceNode,
  provider: ResourceChange["provider"],
  schema: Block,
  value: Value,
  marks: ResourceChange["afterMarks"],
): void {
  const [plain] = unmarkDeep(value);
  if (!isWhollyKnown(plain)) return;
  const empty = createStateObject({}, { sensitivePaths: sensitivePathsOf(plain, marks) });
  run.refreshed.setObject({ instance: address }, withAttributes(empty, plain, impliedType(schema)), provider);
}

/**
 * Whether a resource that a data source depends on explicitly, or a managed resource that it refers to directly, has a planned change.
 *
 * @see OpenTofu node_resource_abstract_instance.go, dependenciesHavePendingChanges
 */
export function dependenciesPending(run: PlanRun, node: InstanceNode, schema: Block): boolean {
  const { block, scope } = node;
  const hasConditions = block.preconditions.length + block.postconditions.length > 0;
  const resources = hasConditions ? ancestorsOf(run, node) : explicitDependencies(run, node, schema);
  for (const resource of resources) {
    for (const { address, action } of run.changesOf(resource)) {
      const { module } = address.instance;
      const isOtherInstance =
        isSameModulePath(modulePathOf(module), scope.configuration.path) && !isSameModuleInstance(module, node.address.module);
      if (!isOtherInstance && action !== "noOp" && address.instance.resource.mode !== block.address.mode) return true;
    }
  }
  return false;
}

function ancestorsOf(run: PlanRun, { scope, block }: InstanceNode): readonly string[] {
  const node = run.graph.resource({ module: scope.configuration.path, resource: block.address });
  return node === undefined ? [] : [...run.graph.ancestors(node)].flatMap((one) => (one.resource === undefined ? [] : [addressOf(one)]));
}

function addressOf({
  resource,
}: {
  readonly resource?: { readonly module: readonly string[]; readonly resource: InstanceNode["address"]["resource"] };
}): string {
  return formatInModulePath(resource!.module, formatResource(resource!.resource));
}

/**
 * The resources that `depends_on` of the block or of a call of its module names, the resources that any other object named there depends on,
 * and the managed resources that the block itself refers to, also in its repetition.
 */
function explicitDependencies(run: PlanRun, { scope, block }: InstanceNode, schema: Block): readonly string[] {
  const dependencies = new Set<string>();
  const addResources = (node: ReturnType<typeof run.graph.resource>): void => {
    if (node === undefined) return;
    if (node.resource !== undefined) dependencies.add(addressOf(node));
    else for (const one of run.graph.ancestors(node)) if (one.resource !== undefined) dependencies.add(addressOf(one));
  };
  for (let at: typeof scope | undefined = scope, traversals = block.dependsOn; at !== undefined;) {
    for (const { reference } of referencesOfTraversals(traversals).references) addResources(run.graph.target(at.configuration, reference));
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
