// SPDX-License-Identifier: Apache-2.0
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { Faults } from "../evaluation/fault-log.ts";
import type { AwaitedInstances } from "./awaited-instances.ts";

type IsAwaitedBy = (node: DependencyNode, dependency: DependencyNode) => boolean;

/** The blocks of a configuration that depend on something with errors. */
export class AffectedBlocks {
  readonly #faults: Faults;
  readonly #awaited: AwaitedInstances;
  readonly #affected = new Set<DependencyNode>();

  /** @param isAwaitedBy Whether a block waits for one of its dependencies. */
  constructor(graph: DependencyGraph, faults: Faults, awaited: AwaitedInstances, isAwaitedBy: IsAwaitedBy) {
    this.#faults = faults;
    this.#awaited = awaited;
    const dependents = new Map<DependencyNode, DependencyNode[]>();
    for (const node of graph.nodes) {
      for (const dependency of node.dependencies) {
        if (!isAwaitedBy(node, dependency)) continue;
        const list = dependents.get(dependency);
        if (list === undefined) dependents.set(dependency, [node]);
        else list.push(node);
      }
    }
    const waiting = [...faults.keys()].flatMap((faulty) =>
      (dependents.get(faulty) ?? []).filter((one) => this.#waitsForFault(one, faulty)),
    );
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (this.#affected.has(node)) continue;
      this.#affected.add(node);
      waiting.push(...(dependents.get(node) ?? []));
    }
  }

  /** Whether a block depends on errors through one of its dependencies. */
  isReached(node: DependencyNode, dependency: DependencyNode): boolean {
    return this.#affected.has(dependency) || this.#waitsForFault(node, dependency);
  }

  /** Whether a block waits for an instance of a dependency, or for another block, that has an error of its own. */
  #waitsForFault(node: DependencyNode, dependency: DependencyNode): boolean {
    if (!this.#faults.has(dependency)) return false;
    const faulty = this.#faults.get(dependency);
    const awaited = dependency.resource && this.#awaited.ofReferences(node, dependency);
    return faulty === undefined || awaited === undefined || !awaited.isDisjointFrom(faulty);
  }
}
