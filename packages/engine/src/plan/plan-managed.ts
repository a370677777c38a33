// SPDX-License-Identifier: Apache-2.0
import { dynamic, isWhollyKnown, number, string, unknown, unmarkDeep, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { valueOf } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/hcl";
import { attributeAt, impliedType, type Deferred, type Diagnostic as ProviderDiagnostic } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import { planChange, type PlannedChange, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";
import { formatResourceInstance, isSameResource } from "../address/resource.ts";
import { bodyOfContents } from "../configuration/imported-resources.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { referencesOfBody } from "../evaluation/references.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { EPHEMERAL, containsMarkOf } from "../marks/value-marks.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { combineMarks, sameSensitivity, schemaMarks, sensitiveMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import { addOrDefer } from "./deferral.ts";
import { operationOptions } from "./operation-options.ts";
import { generatedContents, generatedResource } from "./generated-configuration.ts";
import { withIgnoredChanges } from "./ignore-changes.ts";
import { isReplacement, type ActionReason, type ChangeAction, type Importing, type ResourceChange } from "../change/planned-changes.ts";
import type { PlanRun } from "./plan-run.ts";
import { checkPreventDestroy, skipsDestroy } from "./destroy-rules.ts";
import { settleProvider } from "../walk/settle-provider.ts";
import { replaceTriggered } from "./replace-triggers.ts";
import {
  importedObject,
  mergeDependencies,
  recordedObject,
  refreshedObject,
  sameTexts,
  setObject,
  setRefreshed,
  withRecord,
  type ExistingObject,
  type ManagedObject,
} from "./existing-object.ts";

/**
 * Plans an instance of a managed resource: reads the object of the state, or imports one, and plans the change that makes it match the
 * configuration. Returns the value, with marks, that references to the instance get; undefined if there is no object, and none is
 * planned.
 *
 * @see OpenTofu node_resource_plan_instance.go, managedResourceExecute
 */
export async function planManagedInstance(run: PlanRun, walk: ResourceWalk, declared: InstanceNode): Promise<Value | undefined> {
  let node = declared;
  const { block, scope, text } = declared;
  const { type, provider } = await walk.providers.resourceType(node);
  const managed: ManagedObject = { address: { instance: node.address }, text, type, provider, block };
  checkSelfReferences(walk, node, type);
  await waitForExplicitDependencies(walk, scope, block);
  const dependencies = run.dependenciesOf(node);
  const skipDestroy = skipsDestroy(walk, node);
  const createBeforeDestroy = block.managed?.createBeforeDestroy === true || run.createBeforeDestroy.has(node.configText);
  run.types.set(text, type);

  const importTarget = run.imports.get(text);
  const isImported = importTarget !== undefined && run.previous.object(managed.address) === undefined;
  // Nothing is imported for a configuration that refers to something with errors.
  const importMarks = isImported ? await marksForImport(declared, type) : [];
  const present = isImported
    ? await importedObject(run, walk, managed, importTarget.importing, importMarks)
    : await recordedObject(run, walk, managed);
  if (present !== undefined && !("object" in present)) {
    return deferImport(run, node, managed, { importing: importTarget!.importing, reason: present.deferred.reason });
  }
  let existing: ExistingObject | undefined = present;
  let readDeferral: Deferred | undefined;
  if (existing !== undefined) {
    setObject(run.previous, managed, existing);
    existing = withRecord(existing, { createBeforeDestroy, skipDestroy });
    if (run.settings.refresh && !isImported) existing = await refreshedObject(run, walk, managed, existing);
    readDeferral = existing?.deferred;
    if (existing !== undefined && run.settings.refresh && !isImported)
      existing = withRecord(existing, { dependencies: mergeDependencies(dependencies, existing.record.dependencies) });
  }
  setRefreshed(run, managed, existing);
  const priorMarks = existing === undefined ? [] : sensitiveMarks(existing.record.sensitivePaths);
  const priorPaths = existing === undefined ? [] : sensitivePathsOf(existing.object.value, priorMarks);

  if (run.settings.mode === "refreshOnly") {
    await walk.checkRules(node, "Resource precondition");
    if (existing === undefined) {
      await walk.checkRules(node, "Resource postcondition", unknown(dynamic));
      return undefined;
    }
    const { value } = existing.object;
    const marked = withPathMarks(value, combineMarks(priorMarks, schemaMarks(type.schema.block, value)));
    await walk.checkRules(node, "Resource postcondition", marked);
    return marked;
  }

  let generatedConfig: string | undefined;
  if (block.isGenerated === true && existing !== undefined) {
    const { provider: source, alias } = provider.address.config;
    const local = { localName: source.type, ...(alias !== undefined && { alias }) };
    const contents = generatedContents(block.address, type.schema.block, existing.object.value, local);
    generatedConfig = generatedResource(block.address, contents);
    node = { ...declared, block: { ...block, config: bodyOfContents(contents) } };
  }
  const common = {
    address: managed.address,
    previousAddress: run.previousAddress(node.address),
    provider: provider.address,
    ...(generatedConfig !== undefined && { generatedConfig }),
    beforeMarks: priorMarks,
    type,
    dependencies,
    createBeforeDestroy,
    skipDestroy,
  };
  const trigger = await replaceTriggered(run, walk, node);
  await walk.checkRules(node, "Resource precondition");
  const forceReplace = trigger || run.settings.replace.has(text);
  let planned: ConfiguredPlan;
  try {
    planned = await planOfConfiguration(run, walk, { node, managed }, { prior: existing?.object, priorMarks, forceReplace });
  } catch (error) {
    // The plan keeps the generated configuration, so that the practitioner can correct it.
    const value = existing?.object.value;
    if (generatedConfig !== undefined && value !== undefined) {
      run.add({ ...common, action: "noOp", before: value, after: value, afterMarks: [], requiresReplace: [] });
    }
    throw error;
  }
  const { change, marks: configMarks } = planned;
  const allMarks = combineMarks(configMarks, schemaMarks(type.schema.block, change.after));
  // As in OpenTofu, the second plan of a replacement, which plans the creation, lacks the marks of the schema.
  const afterMarks = change.action === "replace" && change.reason !== "tainted" ? configMarks : allMarks;
  let action = actionOf(change, createBeforeDestroy);
  if (isReplacement(action) && skipDestroy) action = "forgetThenCreate";
  if (action === "noOp" && !sameSensitivity(sensitivePathsOf(change.after, afterMarks), priorPaths)) action = "update";
  const reason = reasonOf(change, trigger);
  const resourceChange: ResourceChange = {
    ...common,
    action,
    ...((isReplacement(action) || trigger) && reason && { reason }),
    before: change.before,
    after: change.after,
    afterMarks,
    ...(existing?.object.identity && { beforeIdentity: existing.object.identity }),
    ...(change.identity && { afterIdentity: change.identity }),
    requiresReplace: change.requiresReplace,
    ...(isImported && { importing: importTarget.importing }),
    planned: change,
    ...(planned.validatedConfig && { validatedConfig: planned.validatedConfig }),
  };
  addOrDefer(run, resourceChange, readDeferral ?? change.deferred);
  await checkPreventDestroy(walk, node, action);
  if (action === "noOp" && existing !== undefined && !sameTexts(existing.record.dependencies, dependencies)) {
    setRefreshed(run, managed, withRecord(existing, { dependencies }));
  }
  const value = withPathMarks(change.after, allMarks);
  await walk.checkRules(node, "Resource postcondition", value);
  return value;
}

/**
 * The marks of the configuration that an imported object gets. As in OpenTofu, `count.index`, `each.key` and `each.value` are unknown in
 * it.
 */
async function marksForImport({ scope, block }: InstanceNode, type: ResourceType): Promise<readonly PathMarks[]> {
  const { count, forEach } = block;
  const each = forEach === undefined ? noScopeData : { eachKey: unknown(string), eachValue: unknown(dynamic) };
  const { value } = await scope.decode(block.config, type.schema.block, count === undefined ? each : { countIndex: unknown(number) });
  return block.isGenerated === true ? [] : unmarkDeepWithPaths(value)[1];
}

/**
 * Defers the import of an object that its provider cannot import yet. Returns the value, with marks, that references to the instance get: the
 * configured values, and unknown values for the rest.
 */
async function deferImport(
  run: PlanRun,
  node: InstanceNode,
  { type, provider }: ManagedObject,
  { importing, reason }: { readonly importing: Importing; readonly reason: Deferred["reason"] },
): Promise<Value> {
  const { scope, block, address, data } = node;
  const schema = type.schema.block;
  if (run.settings.mode === "refreshOnly") return unknown(impliedType(schema));
  const decoded = await scope.decode(block.config, schema, data);
  scope.settle(undefined, decoded.diagnostics);
  const [config, configMarks] = unmarkDeepWithPaths(decoded.value);
  const after = block.isGenerated === true ? unknown(impliedType(schema)) : plannedUnknownObject(schema, config);
  const afterMarks = combineMarks(configMarks, schemaMarks(schema, after));
  const change: ResourceChange = {
    address: { instance: address },
    previousAddress: address,
    provider: provider.address,
    action: "noOp",
    before: valueOf(impliedType(schema), null),
    after,
    beforeMarks: [],
    afterMarks,
    requiresReplace: [],
    importing,
    type,
    dependencies: run.dependenciesOf(node),
    createBeforeDestroy: false,
    skipDestroy: false,
  };
  run.defer({ reason, change });
  return withPathMarks(after, afterMarks);
}

interface InstancePlanOptions {
  /** The configuration, with marks. */
  readonly config: Value;
  readonly prior: ResourceObject | undefined;
  /** Marks of the prior object, which ignored attributes keep. */
  readonly priorMarks: readonly PathMarks[];
  readonly forceReplace: boolean;
}

/** An instance, and the object that it has or gets. */
interface PlannedInstance {
  readonly node: InstanceNode;
  readonly managed: ManagedObject;
}

/** Evaluates the configuration of an instance, and plans the change that it asks for. */
async function planOfConfiguration(
  run: PlanRun,
  walk: ResourceWalk,
  instance: PlannedInstance,
  options: Omit<InstancePlanOptions, "config">,
): Promise<ConfiguredPlan> {
  const { node, managed } = instance;
  const { scope, block, data, text: address } = node;
  const decoded = await scope.decode(block.config, managed.type.schema.block, data, { address });
  scope.settle(undefined, decoded.diagnostics);
  refuseEphemeral(walk, node, managed.type, decoded.value);
  return plan(run, walk, instance, { ...options, config: decoded.value });
}

/** A planned change, with the marks of the configuration. */
interface ConfiguredPlan {
  readonly change: PlannedChange;
  readonly marks: readonly PathMarks[];
  /** See {@link ResourceChange.validatedConfig}. */
  readonly validatedConfig: Value | undefined;
}

/** Lets the provider plan the change of an instance. Returns it with the marks of the configuration. */
async function plan(
  run: PlanRun,
  walk: ResourceWalk,
  { node, managed }: PlannedInstance,
  { config, prior, priorMarks, forceReplace }: InstancePlanOptions,
): Promise<ConfiguredPlan> {
  const { type } = managed;
  const ignored = node.block.managed?.ignoreChanges ?? { all: false, paths: [] };
  const priorValue = prior?.status === "ready" ? withPathMarks(prior.value, priorMarks) : valueOf(impliedType(type.schema.block), null);
  const [, marks] = unmarkDeepWithPaths(withIgnoredChanges(ignored, priorValue, config, type.schema.block));
  const [plain] = unmarkDeep(config);
  const outcome = await planChange(type, {
    ...(await operationOptions(run, walk, managed)),
    prior,
    config: plain,
    forceReplace,
    ignoreChanges: (before, value, of) => withIgnoredChanges(ignored, before, value, of === "config" ? type.schema.block : undefined),
  });
  settleProvider(walk, node, outcome.diagnostics, node.block.config);
  if (outcome.planned === undefined) throw new UpstreamError();
  const isValidated = outcome.diagnostics.length === 0 && isWhollyKnown(plain) && !containsMarkOf(config, EPHEMERAL);
  return { change: outcome.planned, marks, validatedConfig: isValidated ? plain : undefined };
}

function actionOf({ action }: PlannedChange, createBeforeDestroy: boolean): ChangeAction {
  if (action !== "replace") return action;
  return createBeforeDestroy ? "createThenDelete" : "deleteThenCreate";
}

function reasonOf({ reason }: PlannedChange, trigger: boolean): ActionReason | undefined {
  if (trigger) return "replace_by_triggers";
  switch (reason) {
    case "requested":
      return "replace_by_request";
    case "tainted":
      return "replace_because_tainted";
    case "cannotUpdate":
      return "replace_because_cannot_update";
    default:
      return undefined;
  }
}

/** Reports references of a resource to itself. @see OpenTofu validate_selfref.go */
function checkSelfReferences(walk: ResourceWalk, { block, address }: InstanceNode, type: ResourceType): void {
  const { references } = referencesOfBody(block.config, decoderSpec(type.schema.block));
  if (references.length === 0) return;
  const problems: Diagnostic[] = [];
  for (const { reference } of references) {
    const { subject, range } = reference;
    const isOwn =
      (subject.kind === "resource" || subject.kind === "resourceInstance") && isSameResource(subject.resource, address.resource);
    if (!isOwn) continue;
    const own = formatResourceInstance({ ...address, module: [] });
    const detail = `Configuration for ${own} may not refer to itself.`;
    problems.push({ severity: "error", summary: "Self-referential block", detail, subject: range });
  }
  walk.root.settle(undefined, problems);
}

/** Reports ephemeral values in attributes that are not write-only. */
function refuseEphemeral(walk: ResourceWalk, { text, block }: InstanceNode, type: ResourceType, config: Value): void {
  if (!containsMarkOf(config, EPHEMERAL)) return;
  const [, marks] = unmarkDeepWithPaths(config);
  const problems: ProviderDiagnostic[] = [];
  for (const { path, marks: found } of marks) {
    if (!found.has(EPHEMERAL) || attributeAt(type.schema.block, path)?.writeOnly === true) continue;
    const detail =
      "The value of this attribute is derived from an ephemeral value, which can be used only in write-only attributes of a managed resource.";
    problems.push({ severity: "error", summary: "Ephemeral value used in non-ephemeral context", detail, attribute: path });
  }
  walk.root.settle(undefined, locateDiagnostics(problems, block.config, text));
}
