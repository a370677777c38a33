// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import type { Report } from "../configuration/report.ts";
import { UpstreamError } from "./cell.ts";
import type { DependencyGraph } from "./dependency-graph.ts";
import type { DependencyNode } from "./dependency-node.ts";

/** The errors of a run, by the block of the configuration that has them. */
export class FaultLog {
  /** By the key of the block in the dependency graph. */
  readonly #faults = new Map<string, Diagnostic[]>();

  /** Records an error of a block. Ignores an error that is recorded for another block, on which this one depends. */
  add(block: string, error: unknown): void {
    if (!(error instanceof UpstreamError) || error.diagnostics === undefined || error.block !== undefined) return;
    error.block = block;
    const diagnostics = this.#faults.get(block);
    if (diagnostics === undefined) this.#faults.set(block, [...error.diagnostics]);
    else diagnostics.push(...error.diagnostics);
  }

  /** The blocks with errors. */
  blocksIn(graph: DependencyGraph): ReadonlySet<DependencyNode> {
    return new Set([...this.#faults.keys()].flatMap((block) => graph.node(block) ?? []));
  }

  /**
   * Removes from a report the diagnostics of blocks that depend on other blocks with errors. OpenTofu evaluates all instances of a block
   * together, and skips the blocks that depend on a block with errors in any module instance. The walk evaluates each module instance
   * separately.
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
