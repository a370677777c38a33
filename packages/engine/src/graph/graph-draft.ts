// SPDX-License-Identifier: Apache-2.0
import { formatConfigResource, configResourceOf, formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { GraphNodeKind, OperationGraph } from "./graph.ts";

/**
 * What the operation does at a node. `block` evaluates a block of the configuration; `put` creates, updates or reads an object; `orphan` and
 * `deposed` plan objects without a block; `report` and `start` are steps before the checks.
 */
export type NodeRole = "block" | "put" | "destroy" | "forget" | "orphan" | "deposed" | "report" | "start";

/** A node of a graph that is being built. */
export interface DraftNode {
  readonly name: string;
  readonly kind: GraphNodeKind;
  readonly address: string;
  readonly role: NodeRole;
  /** The block of the configuration. Absent if it has none. */
  readonly block?: DependencyNode;
  /** Only for a node that stands for an object. */
  readonly object?: ResourceInstanceObject;
  readonly dependencies: Set<DraftNode>;
}

/** A graph that is being built. */
export class GraphDraft {
  readonly #nodes = new Map<string, DraftNode>();

  get nodes(): readonly DraftNode[] {
    return [...this.#nodes.values()];
  }

  add(node: Omit<DraftNode, "dependencies">): DraftNode {
    const added: DraftNode = { ...node, dependencies: new Set() };
    this.#nodes.set(node.name, added);
    return added;
  }

  /** Adds the node of an object. The suffix says what happens to it: ` (destroy)`. */
  addObject(object: ResourceInstanceObject, role: NodeRole, suffix: string, block: DependencyNode | undefined): DraftNode {
    const name = formatResourceInstance(object.instance) + suffix;
    const address = formatConfigResource(configResourceOf(object.instance));
    return this.add({ name, kind: "resource", address, role, object, ...(block && { block }) });
  }

  /** Removes nodes, and the dependencies on them. */
  remove(removed: ReadonlySet<DraftNode>): void {
    for (const { name } of removed) this.#nodes.delete(name);
    for (const { dependencies } of this.#nodes.values()) {
      for (const node of dependencies) if (removed.has(node)) dependencies.delete(node);
    }
  }

  /** The nodes that depend on each node directly. */
  dependents(): ReadonlyMap<DraftNode, ReadonlySet<DraftNode>> {
    const dependents = new Map(this.nodes.map((node) => [node, new Set<DraftNode>()] as const));
    for (const node of this.#nodes.values()) for (const dependency of node.dependencies) dependents.get(dependency)?.add(node);
    return dependents;
  }

  /** The graph as plain data. */
  finish(): OperationGraph {
    const nodes = this.nodes.map(({ name, kind, address, object, dependencies }) => ({
      name,
      kind,
      address,
      ...(object && { instance: formatResourceInstance(object.instance) }),
      dependencies: [...dependencies].map((dependency) => dependency.name).sort(),
    }));
    return { nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
}

/** All nodes that can be reached from the given ones in one or more steps. */
export function reachableFrom(start: Iterable<DraftNode>, next: (node: DraftNode) => Iterable<DraftNode>): ReadonlySet<DraftNode> {
  const reached = new Set<DraftNode>();
  const waiting = [...start].flatMap((node) => [...next(node)]);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    waiting.push(...next(node));
  }
  return reached;
}
