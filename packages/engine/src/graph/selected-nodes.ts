// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import { targetContainsInstance, targetTouchesConfigResource, type TargetSubject } from "../address/target.ts";
import { reachableFrom, type DraftNode, type GraphDraft } from "./graph-draft.ts";
import { isKeptValue } from "./unneeded-nodes.ts";

/**
 * Removes what targets or exclusions leave out of an apply. Kept are the selected resources and objects, what they depend on, and the outputs that
 * depend on nothing else.
 *
 * @see OpenTofu transform_targets.go
 */
export function removeUnselected(draft: GraphDraft, targets: readonly TargetSubject[], excludes: readonly TargetSubject[]): void {
  const selected = targets.length > 0 ? targeted(draft, targets) : notExcluded(draft, excludes);
  const kept = new Set([...selected, ...reachableFrom(selected, ({ dependencies }) => dependencies)]);
  const withOutputs = new Set(kept);
  for (const node of draft.nodes) {
    if (!isOutput(node)) continue;
    const needed = [...reachableFrom([node], ({ dependencies }) => dependencies)];
    const resources = needed.filter(({ kind }) => kind === "resource");
    if (resources.length === 0 || !resources.every((one) => kept.has(one))) continue;
    for (const one of [node, ...needed]) withOutputs.add(one);
  }
  draft.remove(new Set(draft.nodes.filter((node) => !withOutputs.has(node))));
}

function targeted(draft: GraphDraft, targets: readonly TargetSubject[]): readonly DraftNode[] {
  return draft.nodes.filter((node) => node.kind === "resource" && targets.some((target) => touches(target, node)));
}

function notExcluded(draft: GraphDraft, excludes: readonly TargetSubject[]): readonly DraftNode[] {
  const dependents = draft.dependents();
  const resources = draft.nodes.filter(({ kind }) => kind === "resource");
  const excluded = new Set(resources.filter((node) => excludes.some((target) => targetContainsInstance(target, instanceOf(node)))));
  for (const node of resources) {
    if (!excluded.has(node) && !excludes.some((target) => touches(target, node))) continue;
    // The objects of a resource depend on its block. An exclusion of one of them does not exclude the others.
    for (const one of reachableFrom([node], (each) => dependents.get(each)!)) if (!contains(node, one)) excluded.add(one);
  }
  return resources.filter((node) => !excluded.has(node));
}

/** Whether a target includes the object of a node, or may include one of its block. */
function touches(target: TargetSubject, { object, block }: DraftNode): boolean {
  return object !== undefined ? targetContainsInstance(target, object.instance) : targetTouchesConfigResource(target, block!.resource!);
}

function contains(node: DraftNode, other: DraftNode): boolean {
  if (node.object === undefined) return node.address === other.address;
  return other.object !== undefined && formatResourceInstance(node.object.instance) === formatResourceInstance(other.object.instance);
}

/** The instance of a node's object, and the only one of a block without repetition. */
function instanceOf({ object, block }: DraftNode): ResourceInstance {
  if (object !== undefined) return object.instance;
  const { module, resource } = block!.resource!;
  return { module: module.map((name) => ({ name })), resource };
}

function isOutput(node: DraftNode): boolean {
  return (node.kind === "output" || node.kind === "variable") && isKeptValue(node, false);
}
