// SPDX-License-Identifier: Apache-2.0
import { CtyError, isNull, isWhollyKnown, same, type Path, type Value } from "@tenon/cty";
import { applyPath } from "@tenon/cty/paths";
import type { Diagnostic, Expression } from "@tenon/hcl";
import { instanceKeyOf } from "../address/instance-key.ts";
import { formatReferenceSubject } from "../address/reference.ts";
import {
  configResourceOf,
  formatAbsoluteResource,
  formatConfigResource,
  formatResourceInstance,
  type AbsoluteResource,
  type ResourceInstance,
} from "../address/resource.ts";
import { resourceBlock } from "../configuration/module.ts";
import { referencesOf } from "../evaluation/references.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ChangeAction, ResourceChange } from "../change/planned-changes.ts";
import type { PlanRun } from "./plan-run.ts";
import { pathOfTraversal } from "./traversal-path.ts";

/**
 * Whether a resource or attribute that `replace_triggered_by` names has a change, so that the instance must be replaced.
 *
 * @see OpenTofu evaluate_triggers.go
 */
export function replaceTriggered(run: PlanRun, walk: ResourceWalk, node: InstanceNode): Promise<boolean> | false {
  const triggers = node.block.managed?.replaceTriggers ?? [];
  return triggers.length > 0 && isTriggered(run, walk, node, triggers);
}

async function isTriggered(run: PlanRun, walk: ResourceWalk, node: InstanceNode, triggers: readonly Expression[]): Promise<boolean> {
  for (const expression of triggers) {
    const problems: Diagnostic[] = [];
    const changes = await triggerChanges(run, walk, node, expression, problems);
    node.scope.settle(undefined, problems);
    if (changes.length > 0) return true;
  }
  return false;
}

const triggeringActions: ReadonlySet<ChangeAction> = new Set([
  "update",
  "deleteThenCreate",
  "createThenDelete",
  "create",
  "forgetThenCreate",
]);

async function triggerChanges(
  run: PlanRun,
  walk: ResourceWalk,
  node: InstanceNode,
  expression: Parameters<typeof referencesOf>[0],
  problems: Diagnostic[],
): Promise<readonly ResourceChange[]> {
  const { references } = referencesOf(expression);
  const located = references.find(({ reference: { subject } }) => subject.kind === "resource" || subject.kind === "resourceInstance");
  if (located === undefined) return [];
  const { subject, remaining } = located.reference;
  if (subject.kind !== "resource" && subject.kind !== "resourceInstance") return [];
  const block = resourceBlock(node.scope.configuration.module, subject.resource);
  if (block === undefined) {
    const detail = `A resource ${formatReferenceSubject(subject)} has not been declared in ${moduleText(node)}`;
    problems.push({ severity: "error", summary: "Reference to undeclared resource", detail, subject: expression.range });
    return [];
  }
  await walk.resourceValue(node.scope, block);
  const key = await triggerKey(node, expression, subject.kind === "resourceInstance" ? subject.key : undefined, problems);
  const absolute: AbsoluteResource = { module: node.scope.instance, resource: subject.resource };
  const changes = key === undefined ? changesOfAll(run, absolute) : changesOfInstance(run, { ...absolute, key });
  const own = changes.filter(({ action }) => triggeringActions.has(action));
  const path = pathOfTraversal(expression.kind === "relativeTraversal" ? expression.traversal : remaining);
  return path.length === 0 ? own : own.filter(({ before, after }) => changesAt(path, before, after));
}

/** The changes of the current objects of all instances of a resource. */
function changesOfAll(run: PlanRun, resource: AbsoluteResource): readonly ResourceChange[] {
  const text = formatAbsoluteResource(resource);
  return run
    .changesOf(formatConfigResource(configResourceOf(resource)))
    .filter(({ address: { instance, deposed } }) => deposed === undefined && formatAbsoluteResource(instance) === text);
}

/** The change of the current object of an instance, if there is one. */
function changesOfInstance(run: PlanRun, instance: ResourceInstance): readonly ResourceChange[] {
  const text = formatResourceInstance(instance);
  const change = run.changes.get(text) ?? run.deferred.get(text)?.change;
  return change === undefined ? [] : [change];
}

/** Whether a change changes the part of the value at a path. */
function changesAt(path: Path, before: Value, after: Value): boolean {
  try {
    const part = applyPath(path, after);
    return isNull(before) || !isWhollyKnown(part) || !same(applyPath(path, before), part);
  } catch (error) {
    if (error instanceof CtyError) return false;
    throw error;
  }
}

/** The instance key in an expression of `replace_triggered_by`: a constant, `each.key` or `count.index`. */
async function triggerKey(
  { data }: InstanceNode,
  expression: Parameters<typeof referencesOf>[0],
  constant: string | number | undefined,
  problems: Diagnostic[],
): Promise<string | number | undefined> {
  if (constant !== undefined) return constant;
  let at = expression;
  while (at.kind === "relativeTraversal") at = at.source;
  if (at.kind !== "index") return undefined;
  const [first] = referencesOf(at.key).references;
  const subject = first?.reference.subject;
  const value = subject?.kind === "each" ? data.eachKey : subject?.kind === "count" ? data.countIndex : undefined;
  if (value === undefined) {
    const detail = "Only each.key and count.index may be used as the key of an instance in replace_triggered_by.";
    problems.push({ severity: "error", summary: "Invalid replace_triggered_by expression", detail, subject: at.key.range });
    return undefined;
  }
  const { key } = instanceKeyOf(value);
  return key;
}

function moduleText({ scope }: InstanceNode): string {
  return scope.instance.length === 0 ? "the root module" : scope.addressOf("").replace(/\.$/, "");
}
