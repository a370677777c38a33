// SPDX-License-Identifier: Apache-2.0
import { dynamic, number, string, unknown, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import type { Diagnostic } from "@tenon/hcl";
import type { PlannedChange, ResourceType } from "@tenon/schema/lifecycle";
import { formatResourceInstance, isSameResource } from "../address/resource.ts";
import { isReplacement, type ActionReason, type ChangeAction, type Importing, type ResourceChange } from "../change/planned-changes.ts";
import { bodyOfContents } from "../configuration/imported-resources.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { referencesOfBody } from "../evaluation/references.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { combineMarks, sameSensitivity, schemaMarks, sensitiveMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import { settleInstance, type InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { planConfiguredChange, type ConfiguredPlan } from "./configured-plan.ts";
import { deferImport } from "./defer-instance.ts";
import { addOrDefer } from "./deferral.ts";
import { checkPreventDestroy, skipsDestroy } from "./destroy-rules.ts";
import {
  importedObject,
  mergeDependencies,
  recordedObject,
  refreshedObject,
  resolvedImport,
  sameTexts,
  setObject,
  setRefreshed,
  withRecord,
  type ExistingObject,
  type ManagedObject,
} from "./existing-object.ts";
import { generatedContents, generatedResource } from "./generated-configuration.ts";
import type { PlanRun } from "./plan-run.ts";
import { replaceTriggered } from "./replace-triggers.ts";

/**
 * Plans an instance of a managed resource: reads the object of the state, or imports one, and plans the change that makes it match the
 * configuration. Returns the value, with marks, that references to the instance get; undefined if there is no object, and none is
 * planned.
 *
 * @see OpenTofu node_resource_plan_instance.go, managedResourceExecute
 */
export async function planManagedInstance(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<Value | undefined> {
  const { block, scope, text } = node;
  const { type, provider } = await walk.providers.resourceType(node);
  const managed: ManagedObject = { address: { instance: node.address }, text, type, provider, block };
  checkSelfReferences(walk, node, type);
  const dependencies = waitForExplicitDependencies(walk, scope, block);
  if (dependencies !== undefined) await dependencies;
  const record: InstanceRecord = {
    dependencies: run.dependenciesOf(node),
    createBeforeDestroy: block.managed?.createBeforeDestroy === true || run.createBeforeDestroy.has(node.configText),
    skipDestroy: skipsDestroy(walk, node),
  };
  run.types.set(text, type);
  const requested = run.previous.object(managed.address) === undefined ? run.imports.get(text)?.importing : undefined;
  const importing = requested && resolvedImport(walk, managed, requested);
  // The marks are evaluated first: nothing is imported for a configuration that refers to something with errors.
  const marks = importing && (await marksForImport(node, type));
  const presence = importing ? importedObject(run, walk, managed, importing, marks!.marks) : recordedObject(run, walk, managed);
  const present = presence && (await presence);
  settleInstance(node, marks?.diagnostics ?? []);
  if (present !== undefined && !("object" in present)) {
    return deferImport(run, node, managed, { importing: importing!, reason: present.deferred.reason });
  }
  const isRead = run.settings.refresh && importing === undefined;
  const existing = present && (await currentObject(run, walk, managed, { present, record, isRead }));
  setRefreshed(run, managed, existing);
  if (run.settings.mode === "refreshOnly") return await refreshOnlyValue(walk, node, type, existing);
  return await planInstanceChange(run, walk, node, { managed, existing, record, importing });
}

/** The data that the state is to record about an object of an instance. */
type InstanceRecord = Pick<ResourceChange, "dependencies" | "createBeforeDestroy" | "skipDestroy">;

/**
 * The marks of the configuration that an imported object gets, and the diagnostics of their evaluation. As in OpenTofu, `count.index`,
 * `each.key` and `each.value` are unknown in it, and its warnings come again when the change is planned.
 */
async function marksForImport(
  { scope, block }: InstanceNode,
  type: ResourceType,
): Promise<{ readonly marks: readonly PathMarks[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { count, forEach } = block;
  const each = forEach === undefined ? noScopeData : { eachKey: unknown(string), eachValue: unknown(dynamic) };
  const { value, diagnostics } = await scope.decode(
    block.config,
    type.schema.block,
    count === undefined ? each : { countIndex: unknown(number) },
  );
  return block.isGenerated === true ? { marks: [], diagnostics: [] } : { marks: unmarkDeepWithPaths(value)[1], diagnostics };
}

interface PresentObject {
  /** The object of the state, upgraded, or an imported one. */
  readonly present: ExistingObject;
  readonly record: InstanceRecord;
  /** Whether the object is read from its provider. */
  readonly isRead: boolean;
}

/** The object of an instance with its new record, as its provider reports it; undefined if it does not exist any more. */
async function currentObject(
  run: PlanRun,
  walk: ResourceWalk,
  managed: ManagedObject,
  { present, record, isRead }: PresentObject,
): Promise<ExistingObject | undefined> {
  setObject(run.previous, managed, present);
  const { dependencies, ...lifecycle } = record;
  const recorded = withRecord(present, lifecycle);
  if (!isRead) return recorded;
  const read = await refreshedObject(run, walk, managed, recorded);
  return read && withRecord(read, { dependencies: mergeDependencies(dependencies, read.record.dependencies) });
}

/** The value, with marks, of an instance in a refresh-only plan, which checks the conditions and plans no change. */
async function refreshOnlyValue(
  walk: ResourceWalk,
  node: InstanceNode,
  { schema }: ResourceType,
  existing: ExistingObject | undefined,
): Promise<Value | undefined> {
  await walk.checkRules(node, "Resource precondition");
  const value = existing && withPathMarks(existing.object.value, marksOf(existing, schema.block));
  await walk.checkRules(node, "Resource postcondition", value ?? unknown(dynamic));
  return value;
}

function marksOf({ object, record }: ExistingObject, schema: ResourceType["schema"]["block"]): readonly PathMarks[] {
  return combineMarks(sensitiveMarks(record.sensitivePaths), schemaMarks(schema, object.value));
}

interface ChangeInput {
  readonly managed: ManagedObject;
  readonly existing: ExistingObject | undefined;
  readonly record: InstanceRecord;
  readonly importing: Importing | undefined;
}

/** Plans the change of an instance, and checks its conditions. Returns its value, with marks. */
async function planInstanceChange(run: PlanRun, walk: ResourceWalk, declared: InstanceNode, input: ChangeInput): Promise<Value> {
  const { managed, existing, record } = input;
  const generated = declared.block.isGenerated === true && existing ? generateConfiguration(declared, managed, existing) : undefined;
  const node = generated?.node ?? declared;
  const base: ChangeBase = {
    address: managed.address,
    previousAddress: run.previousAddress(node.address),
    provider: managed.provider.address,
    ...(generated && { generatedConfig: generated.text }),
    beforeMarks: existing === undefined ? [] : sensitiveMarks(existing.record.sensitivePaths),
    type: managed.type,
    ...record,
  };
  const triggered = replaceTriggered(run, walk, node);
  const isTriggered = triggered && (await triggered);
  const preconditions = walk.checkRules(node, "Resource precondition");
  if (preconditions !== undefined) await preconditions;
  const forceReplace = isTriggered || run.settings.replace.has(node.text);
  const options = { prior: existing?.object, priorMarks: base.beforeMarks, forceReplace };
  const planning = planConfiguredChange(run, walk, { node, managed }, options);
  const planned = await (generated === undefined ? planning : keepingGenerated(planning, () => keepGenerated(run, base, existing!)));
  const change = changeOfPlan(base, planned, input, isTriggered);
  addOrDefer(run, change, existing?.deferred ?? planned.change.deferred);
  const prevented = checkPreventDestroy(walk, node, change.action);
  if (prevented !== undefined) await prevented;
  const { dependencies } = record;
  if (change.action === "noOp" && existing !== undefined && !sameTexts(existing.record.dependencies, dependencies)) {
    setRefreshed(run, managed, withRecord(existing, { dependencies }));
  }
  const value = withPathMarks(change.after, planned.marks);
  const postconditions = walk.checkRules(node, "Resource postcondition", value);
  if (postconditions !== undefined) await postconditions;
  return value;
}

/** Generates the configuration of an imported object: the instance with this configuration, and the text of its block. */
function generateConfiguration(
  declared: InstanceNode,
  { type, provider }: ManagedObject,
  { object }: ExistingObject,
): { readonly node: InstanceNode; readonly text: string } {
  const { block } = declared;
  const { provider: source, alias } = provider.address.config;
  const local = { localName: source.type, ...(alias !== undefined && { alias }) };
  const contents = generatedContents(block.address, type.schema.block, object.value, local);
  return { node: { ...declared, block: { ...block, config: bodyOfContents(contents) } }, text: generatedResource(block.address, contents) };
}

async function keepingGenerated(planning: Promise<ConfiguredPlan>, keep: () => void): Promise<ConfiguredPlan> {
  try {
    return await planning;
  } catch (error) {
    keep();
    throw error;
  }
}

/** Keeps a generated configuration that cannot be planned, so that the practitioner can correct it. */
function keepGenerated(run: PlanRun, base: ChangeBase, { object: { value } }: ExistingObject): void {
  run.add({ ...base, action: "noOp", before: value, after: value, afterMarks: [], requiresReplace: [] });
}

/** The parts of a change that do not depend on the plan of the provider. */
type ChangeBase = InstanceRecord &
  Required<Pick<ResourceChange, "address" | "previousAddress" | "provider" | "beforeMarks" | "type">> &
  Pick<ResourceChange, "generatedConfig">;

/** The change of an instance that follows from the one that its provider has planned. */
function changeOfPlan(
  base: ChangeBase,
  { change, configMarks, marks, validatedConfig }: ConfiguredPlan,
  { existing, importing }: ChangeInput,
  isTriggered: boolean,
): ResourceChange {
  const { identity } = existing?.object ?? {};
  // As in OpenTofu, the second plan of a replacement, which plans the creation, lacks the marks of the schema.
  const afterMarks = change.action === "replace" && change.reason !== "tainted" ? configMarks : marks;
  const priorPaths = existing === undefined ? [] : sensitivePathsOf(existing.object.value, base.beforeMarks);
  let action = actionOf(change, base);
  if (action === "noOp" && !sameSensitivity(sensitivePathsOf(change.after, afterMarks), priorPaths)) action = "update";
  const reason = reasonOf(change, isTriggered);
  return {
    ...base,
    action,
    ...((isReplacement(action) || isTriggered) && reason && { reason }),
    before: change.before,
    after: change.after,
    afterMarks,
    ...(identity && { beforeIdentity: identity }),
    ...(change.identity && { afterIdentity: change.identity }),
    requiresReplace: change.requiresReplace,
    ...(importing && { importing }),
    planned: change,
    ...(validatedConfig && { validatedConfig }),
  };
}

function actionOf({ action }: PlannedChange, { createBeforeDestroy, skipDestroy }: InstanceRecord): ChangeAction {
  if (action !== "replace") return action;
  if (skipDestroy) return "forgetThenCreate";
  return createBeforeDestroy ? "createThenDelete" : "deleteThenCreate";
}

function reasonOf({ reason }: PlannedChange, isTriggered: boolean): ActionReason | undefined {
  if (isTriggered) return "replace_by_triggers";
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
