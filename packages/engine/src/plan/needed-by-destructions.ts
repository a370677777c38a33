// SPDX-License-Identifier: Apache-2.0
import { formatInModulePath, type ModulePath } from "../address/module.ts";
import { formatProviderConfig, type ProviderConfig } from "../address/provider-config.ts";
import { configResourceOf } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { allModules } from "../configuration/configuration.ts";
import { unlessUpstreamError } from "../evaluation/cell.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { referencesOf } from "../evaluation/references.ts";
import { evaluateVariables } from "../walk/module-lookup.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";

/**
 * The blocks on which the destruction of objects depends, directly or indirectly: through the configurations of their providers, and through
 * `prevent_destroy`.
 *
 * @param providers Further provider configurations, by their addresses.
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer; node_resource_abstract.go, DestroyReferences
 */
export function neededByDestructions(
  graph: DependencyGraph,
  changes: readonly ResourceChange[],
  providers: ReadonlySet<string> = new Set(),
): ReadonlySet<DependencyNode> {
  const used = new Set(changes.map(({ provider }) => formatProviderConfig(provider.config)));
  const needed = new Set(graph.neededByProviders((config) => [used, providers].some((names) => names.has(formatProviderConfig(config)))));
  for (const { block, module } of resourcesOf(graph, changes)) {
    const rule = block?.managed?.preventDestroy;
    for (const { reference } of rule === undefined ? [] : referencesOf(rule).references) {
      const target = graph.target(module!, reference);
      if (target !== undefined) for (const node of [target, ...graph.ancestors(target)]) needed.add(node);
    }
  }
  return needed;
}

function resourcesOf(graph: DependencyGraph, changes: readonly ResourceChange[]): ReadonlySet<DependencyNode> {
  return new Set(changes.flatMap(({ address }) => graph.resource(configResourceOf(address.instance)) ?? []));
}

/**
 * Configures the providers whose functions the blocks of destroyed objects call, and validates the variables that a destroy plan needs. Returns
 * all blocks that it needs.
 */
export async function evaluateNeeded(
  walk: ResourceWalk,
  graph: DependencyGraph,
  changes: readonly ResourceChange[],
): Promise<ReadonlySet<DependencyNode>> {
  const called = new Map([...resourcesOf(graph, changes)].flatMap(providersOf));
  for (const { provider } of changes) called.delete(formatProviderConfig(provider.config));
  for (const [name, config] of called) await unlessUpstreamError(walk.guarded(name, () => walk.providers.configuredProvider({ config })));
  const needed = neededByDestructions(graph, changes, new Set(called.keys()));
  await evaluateVariables(walk.root, isAmong(graph, needed));
  return needed;
}

function providersOf({ dependencies }: DependencyNode): (readonly [string, ProviderConfig])[] {
  return [...dependencies].flatMap(({ name, provider }) => (provider === undefined ? [] : [[name, provider] as const]));
}

/** Whether a block is among some nodes, by its address in its module. */
export function isAmong(graph: DependencyGraph, nodes: ReadonlySet<DependencyNode>): (path: ModulePath, local: string) => boolean {
  return (path, local) => {
    const node = graph.block(path, local);
    return node !== undefined && nodes.has(node);
  };
}

/** Drops the results of variables that a destroy plan does not need. It has evaluated them only to find the instances of modules. */
export function forgetUnneeded(
  { root, checks, faults, report }: ResourceWalk,
  graph: DependencyGraph,
  needed: ReadonlySet<DependencyNode>,
): void {
  const isNeeded = isAmong(graph, needed);
  for (const { module, path } of allModules(root.configuration)) {
    for (const name of module.variables.keys()) {
      if (isNeeded(path, `var.${name}`)) continue;
      const address = formatInModulePath(path, `var.${name}`);
      checks.forgetObjects(address);
      faults.remove(address, report);
    }
  }
  if (faults.hasWarnings) faults.removeUnneededWarnings(graph, report, (node) => needed.has(node));
}
