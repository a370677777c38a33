// SPDX-License-Identifier: Apache-2.0
import { modulePathOf } from "../address/module.ts";
import type { ResourceInstance } from "../address/resource.ts";
import { targetContainsInstance, targetTouchesConfigResource, type TargetSubject } from "../address/target.ts";
import { reportWarning, type Report } from "../configuration/report.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { State } from "../state/state.ts";
import { selectForDestroy } from "./destroy-selection.ts";

/** The options that limit a plan to a part of a configuration and a state. */
export interface SelectionLimits {
  readonly targets: readonly TargetSubject[];
  readonly excludes: readonly TargetSubject[];
}

/** Whether targets or exclusions limit a plan to a part of the configuration. */
export function isPartial({ targets, excludes }: SelectionLimits): boolean {
  return targets.length + excludes.length > 0;
}

/** The part of a configuration and a state that a plan includes. */
export interface Selection {
  /** Whether the plan includes a block: a resource, local value, variable, output or module call. */
  readonly includes: (node: DependencyNode | undefined) => boolean;
  /** Whether the plan includes an instance, which is declared or only recorded in the state. */
  readonly includesInstance: (instance: ResourceInstance) => boolean;
  /** Whether the plan includes the deposed objects of an instance. Nothing depends on them, and they depend on nothing. */
  readonly includesDeposed: (instance: ResourceInstance) => boolean;
}

/** The blocks that a selection is made of: those of a graph, or some of them. */
export type SelectedGraph = Pick<DependencyGraph, "nodes" | "ancestors" | "resource">;

const everything: Selection = { includes: () => true, includesInstance: () => true, includesDeposed: () => true };

/**
 * Selects the part of a configuration and a state by targets or exclusions. A target includes all that it depends on, and in a destroy plan
 * all that depends on it. An exclusion excludes all that depends on it, and in a destroy plan all that it depends on.
 *
 * @see OpenTofu transform_targets.go
 */
export function select(
  graph: SelectedGraph,
  state: State,
  { targets, excludes, destroys }: SelectionLimits & { readonly destroys: boolean },
): Selection {
  if (targets.length === 0 && excludes.length === 0) return everything;
  const includesDeposed: Selection["includesDeposed"] =
    targets.length > 0
      ? (instance) => targets.some((target) => targetContainsInstance(target, instance))
      : (instance) => !excludes.some((target) => targetContainsInstance(target, instance));
  if (destroys) return { includes: () => true, includesInstance: selectForDestroy(state, targets, excludes), includesDeposed };
  return { ...(targets.length > 0 ? selectTargets(graph, targets) : selectWithout(graph, excludes)), includesDeposed };
}

type BlockSelection = Omit<Selection, "includesDeposed">;

function selectTargets(graph: SelectedGraph, targets: readonly TargetSubject[]): BlockSelection {
  const named = new Set<DependencyNode>();
  const needed = new Set<DependencyNode>();
  for (const node of graph.nodes) {
    if (node.resource === undefined || !targets.some((target) => targetTouchesConfigResource(target, node.resource!))) continue;
    named.add(node);
    for (const ancestor of graph.ancestors(node)) needed.add(ancestor);
  }
  const kept = withOutputs(graph, new Set([...named, ...needed]));
  return {
    includes: (node) => node !== undefined && kept.has(node),
    includesInstance: (instance) => {
      const node = graph.resource(configOf(instance));
      // If targets name instances of a resource, only those are included, even if another target depends on the resource.
      if (node !== undefined && needed.has(node) && !named.has(node)) return true;
      return targets.some((target) => targetContainsInstance(target, instance));
    },
  };
}

function selectWithout(graph: SelectedGraph, excludes: readonly TargetSubject[]): BlockSelection {
  const resources = [...graph.nodes].filter((node) => node.resource !== undefined);
  const touched = new Set(resources.filter(({ resource }) => excludes.some((target) => targetTouchesConfigResource(target, resource!))));
  // An object that refers to a resource depends on all its instances, so also on those that are excluded.
  const included = resources.filter(
    (node) => !excludes.some((target) => excludesWhole(target, node)) && graph.ancestors(node).isDisjointFrom(touched),
  );
  const kept = withOutputs(graph, new Set(included.flatMap((node) => [node, ...graph.ancestors(node)])));
  return {
    includes: (node) => node !== undefined && kept.has(node),
    includesInstance: (instance) => {
      const node = graph.resource(configOf(instance));
      return (node === undefined || kept.has(node)) && !excludes.some((target) => targetContainsInstance(target, instance));
    },
  };
}

/**
 * Adds the outputs of the root module and the variables with validations that refer to resources, if all these resources are kept, and what
 * they depend on.
 */
function withOutputs(graph: SelectedGraph, kept: ReadonlySet<DependencyNode>): ReadonlySet<DependencyNode> {
  const all = new Set(kept);
  for (const node of graph.nodes) {
    if (node.isRootOutput !== true && node.isValidated !== true) continue;
    const ancestors = [...graph.ancestors(node)];
    const resources = ancestors.filter(({ resource }) => resource !== undefined);
    if (resources.length === 0 || !resources.every((one) => kept.has(one))) continue;
    for (const one of [node, ...ancestors]) all.add(one);
  }
  return all;
}

/** Whether an exclusion covers all instances of a resource. */
function excludesWhole(target: TargetSubject, { resource }: DependencyNode): boolean {
  const unkeyed: ResourceInstance = { module: resource!.module.map((name) => ({ name })), resource: resource!.resource };
  return targetContainsInstance(target, unkeyed);
}

function configOf({ module, resource }: Pick<ResourceInstance, "module" | "resource">): Parameters<DependencyGraph["resource"]>[0] {
  return { module: modulePathOf(module), resource };
}

/** Warns that a plan is limited to a part of the configuration. */
export function warnOfSelection(report: Report): void {
  const detail =
    "You are creating a plan with either the -target option or the -exclude option, which means that the result of this plan may not represent all of the changes requested by the current configuration.\n\nThe -target and -exclude options are not for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when OpenTofu specifically suggests to use it as part of an error message.";
  reportWarning(report, "Resource targeting is in effect", detail);
}
