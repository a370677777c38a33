// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import { modulePathOf } from "../address/module.ts";
import { formatConfigResource } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { hasConditions } from "../configuration/resource.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { InstanceReferences } from "../evaluation/instance-references.ts";

/**
 * Tells which instances of a resource the blocks of an apply wait for. A block that refers to an instance by a literal key waits only for this
 * instance. If the apply neither changes the instance nor checks its conditions, the block waits for all instances of the resource.
 *
 * @see OpenTofu transform_reference.go, ReferenceMap.addReference
 */
export class AwaitedInstances {
  readonly #graph: DependencyGraph;
  readonly #references: InstanceReferences;
  /** The keys of the instances that the apply visits, by the address of the resource in the configuration. */
  readonly #visited = new Map<string, Set<InstanceKey>>();
  readonly #ofResources = new Map<DependencyNode, Map<DependencyNode, ReadonlySet<InstanceKey> | undefined>>();

  constructor(graph: DependencyGraph, references: InstanceReferences, changes: readonly ResourceChange[]) {
    this.#graph = graph;
    this.#references = references;
    for (const { address, action } of changes) {
      const { module, resource, key } = address.instance;
      if (key === undefined || action === "delete" || address.deposed !== undefined) continue;
      const node = graph.resource({ module: modulePathOf(module), resource });
      if (node?.block === undefined) continue;
      if (action === "noOp" && !hasConditions(node.block)) continue;
      const text = formatConfigResource(node.resource!);
      this.#visited.set(text, (this.#visited.get(text) ?? new Set<InstanceKey>()).add(key));
    }
  }

  /** Whether a reference to an instance waits only for this instance. The resource is named by its address in the configuration. */
  isAlone(resource: string, key: InstanceKey): boolean {
    return this.#visited.get(resource)?.has(key) === true;
  }

  /** The keys of the instances that the references of a block to a resource wait for; undefined: those of all instances. */
  ofReferences(from: DependencyNode, to: DependencyNode): ReadonlySet<InstanceKey> | undefined {
    const keys = this.#references.keys(from, to);
    const visited = this.#visited.get(formatConfigResource(to.resource!));
    return visited !== undefined && keys.isSubsetOf(visited) ? keys : undefined;
  }

  /**
   * The keys of the instances of a dependency that the objects of a resource wait for, also through other blocks; undefined: those of all
   * instances. Both are named by their addresses in the configuration.
   */
  ofResource(resource: string, dependency: string): ReadonlySet<InstanceKey> | undefined {
    const [node, target] = [this.#graph.node(resource), this.#graph.node(dependency)];
    if (node === undefined || target === undefined || !this.#references.hasKeysOf(target)) return undefined;
    let ofNode = this.#ofResources.get(node);
    if (ofNode === undefined) this.#ofResources.set(node, (ofNode = new Map()));
    if (!ofNode.has(target)) ofNode.set(target, this.#collect(node, target));
    return ofNode.get(target);
  }

  #collect(node: DependencyNode, target: DependencyNode): ReadonlySet<InstanceKey> | undefined {
    const keys = new Set<InstanceKey>();
    for (const from of [node, ...this.#graph.ancestors(node)]) {
      if (from === target || !from.dependencies.has(target)) continue;
      const direct = this.ofReferences(from, target);
      if (direct === undefined) return undefined;
      for (const key of direct) keys.add(key);
    }
    return keys.size === 0 ? undefined : keys;
  }
}
