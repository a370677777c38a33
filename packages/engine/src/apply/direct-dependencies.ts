// SPDX-License-Identifier: Apache-2.0
import type { ResourceChange } from "../change/planned-changes.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";

/**
 * Tells which dependencies of resources stay inside a module instance. An object in a repeated module depends on the objects of its own module
 * instance where its block refers to their resource. Everything else that the block refers to depends on the objects of all module
 * instances: local values, variables, calls, and what other resources refer to.
 *
 * @see OpenTofu transform_reference.go, transform_diff.go, node_resource_apply.go
 */
export class DirectDependencies {
  readonly #graph: DependencyGraph;
  readonly #indirect = new Map<DependencyNode, ReadonlySet<DependencyNode>>();

  constructor(graph: DependencyGraph) {
    this.#graph = graph;
  }

  /** Whether a resource depends on another one only because its block refers to it. Both are named by their addresses in the configuration. */
  has(resource: string, dependency: string): boolean {
    const [node, target] = [this.#graph.node(resource), this.#graph.node(dependency)];
    if (node === undefined || target === undefined) return true;
    return node.dependencies.has(target) && !this.#indirectOf(node).has(target);
  }

  /** What the dependencies of a node depend on. */
  #indirectOf(node: DependencyNode): ReadonlySet<DependencyNode> {
    let indirect = this.#indirect.get(node);
    if (indirect === undefined) {
      indirect = new Set([...node.dependencies].flatMap((one) => [...this.#graph.ancestors(one)]));
      this.#indirect.set(node, indirect);
    }
    return indirect;
  }
}

/** Whether any change is about an object in an instance of a repeated module. */
export function hasModuleInstances(changes: readonly ResourceChange[]): boolean {
  return changes.some(({ address }) => address.instance.module.some(({ key }) => key !== undefined));
}
