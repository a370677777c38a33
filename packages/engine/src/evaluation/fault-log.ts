// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import type { Report } from "../configuration/report.ts";
import { UpstreamError } from "./cell.ts";
import type { DependencyGraph } from "./dependency-graph.ts";
import type { DependencyNode } from "./dependency-node.ts";

/** The errors of a run, by the block of the configuration that they are about. */
export class FaultLog {
  /** By the key of the block in the dependency graph. */
  readonly #faults = new Map<string, Diagnostic[]>();

  /** Adds the diagnostics of an error as those of a block. An error that the block only passes on is that of another block already. */
  add(block: string, error: unknown): void {
    if (!(error instanceof UpstreamError) || error.diagnostics === undefined || error.block !== undefined) return;
    error.block = block;
    const known = this.#faults.get(block);
    if (known === undefined) this.#faults.set(block, [...error.diagnostics]);
    else known.push(...error.diagnostics);
  }

  /** The blocks with errors. */
  blocksIn(graph: DependencyGraph): ReadonlySet<DependencyNode> {
    return new Set([...this.#faults.keys()].flatMap((block) => graph.node(block) ?? []));
  }

  /**
   * Removes from a report the diagnostics of blocks that depend on other blocks with errors. OpenTofu evaluates all instances of a block
   * together, and leaves out the blocks that depend on one with errors in any module instance. Here, each module instance is evaluated by
   * itself.
   *
   * @see OpenTofu dag/walk.go
   */
  removeDependents(graph: DependencyGraph, report: Report): void {
    const faulty = this.blocksIn(graph);
    for (const block of this.#faults.keys()) {
      const node = graph.node(block);
      if (node !== undefined && !graph.ancestors(node).isDisjointFrom(faulty)) this.remove(block, report);
    }
  }

  /** Removes the diagnostics of a block from a report. */
  remove(block: string, report: Report): void {
    const removed = new Set(this.#faults.get(block));
    if (removed.size > 0) report.splice(0, report.length, ...report.filter((diagnostic) => !removed.has(diagnostic)));
  }
}
