// SPDX-License-Identifier: Apache-2.0
import { modulePathOf } from "../address/module.ts";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { FaultLog } from "../evaluation/fault-log.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * The blocks that OpenTofu skips in a plan with errors: those that depend on a block with errors, and resources whose instances are not
 * known. The walk plans an object as soon as the values that it needs are known, so it can have planned objects of such a block.
 *
 * @see OpenTofu dag/walk.go
 */
export class SkippedBlocks {
  readonly #graph: DependencyGraph;
  readonly #skipped: ReadonlySet<DependencyNode>;

  constructor(graph: DependencyGraph, faults: FaultLog) {
    this.#graph = graph;
    this.#skipped = faults.skippedIn(graph);
  }

  /** Whether a block, given by its address in the configuration, is skipped. */
  hasBlock(address: string): boolean {
    return this.#has(this.#graph.node(address));
  }

  /** Whether the block of an object is skipped. An object without a block, and a deposed one, only need the instances of their module. */
  hasObject({ instance, deposed }: ResourceInstanceObject): boolean {
    if (this.#skipped.size === 0) return false;
    const module = modulePathOf(instance.module);
    const block = deposed === undefined ? this.#graph.resource({ module, resource: instance.resource }) : undefined;
    return this.#has(block ?? this.#graph.block(module.slice(0, -1), `module.${module.at(-1)} (expand)`));
  }

  /** Removes the changes of skipped blocks from a plan in progress. */
  removeChanges(run: PlanRun): void {
    for (const [text, { address }] of run.changes) if (this.hasObject(address)) run.changes.delete(text);
    for (const [text, { change }] of run.deferred) if (this.hasObject(change.address)) run.deferred.delete(text);
  }

  #has(node: DependencyNode | undefined): boolean {
    return node !== undefined && this.#skipped.has(node);
  }
}
