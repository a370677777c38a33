// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import type { InstanceKey } from "../address/instance-key.ts";
import type { Report } from "../configuration/report.ts";
import { UpstreamError } from "./cell.ts";
import type { DependencyGraph } from "./dependency-graph.ts";
import type { DependencyNode } from "./dependency-node.ts";

/** The blocks with errors, and the keys of the instances of a resource that have them; undefined: the errors are about the whole block. */
export type Faults = ReadonlyMap<DependencyNode, ReadonlySet<InstanceKey> | undefined>;

/** The errors of a run, and some of its warnings, by the block of the configuration that has them. */
export class FaultLog {
  /** By the key of the block in the dependency graph. */
  readonly #faults = new Map<string, Diagnostic[]>();
  /** The instances of resources that have errors, by the key of the block. */
  readonly #instances = new Map<string, Set<InstanceKey>>();
  /** The keys of the blocks with an error that is not about a single instance. */
  readonly #wholeBlocks = new Set<string>();
  /** The warnings of blocks without errors, by the key of the block. */
  readonly #warnings = new Map<string, Diagnostic[]>();

  /**
   * Records an error of a block, or of an instance of a resource. Ignores an error that is recorded for another block, on which this one
   * depends.
   */
  add(block: string, error: unknown, instance?: { readonly key: InstanceKey }): void {
    if (!(error instanceof UpstreamError) || error.diagnostics === undefined || error.block !== undefined) return;
    error.block = block;
    if (instance === undefined) this.#wholeBlocks.add(block);
    else this.#instances.set(block, (this.#instances.get(block) ?? new Set<InstanceKey>()).add(instance.key));
    const diagnostics = this.#faults.get(block);
    if (diagnostics === undefined) this.#faults.set(block, [...error.diagnostics]);
    else diagnostics.push(...error.diagnostics);
  }

  /** Records those of some diagnostics of a block that are warnings. */
  addWarnings(block: string, diagnostics: readonly Diagnostic[]): void {
    const warnings = diagnostics.filter(({ severity }) => severity === "warning");
    if (warnings.length > 0) this.#warnings.set(block, [...(this.#warnings.get(block) ?? []), ...warnings]);
  }

  /** Whether there are recorded warnings. */
  get hasWarnings(): boolean {
    return this.#warnings.size > 0;
  }

  /** The blocks of a graph that have errors. */
  faultsIn(graph: DependencyGraph): Faults {
    const faults = new Map<DependencyNode, ReadonlySet<InstanceKey> | undefined>();
    for (const block of this.#faults.keys()) {
      const node = graph.node(block);
      if (node !== undefined) faults.set(node, this.#wholeBlocks.has(block) ? undefined : this.#instances.get(block));
    }
    return faults;
  }

  /**
   * Removes from a report the diagnostics of blocks that depend on other blocks with errors. OpenTofu evaluates all instances of a block
   * together, and skips the blocks that depend on a block with errors in any module instance. The walk evaluates each module instance
   * separately.
   *
   * @see OpenTofu dag/walk.go
   */
  removeDependents(graph: DependencyGraph, report: Report): void {
    const faulty = new Set(this.faultsIn(graph).keys());
    if (faulty.size === 0) return;
    for (const recorded of [this.#faults, this.#warnings]) {
      for (const [block, diagnostics] of recorded) {
        const node = graph.node(block);
        if (node !== undefined && !graph.ancestors(node).isDisjointFrom(faulty)) removeFrom(report, diagnostics);
      }
    }
  }

  /**
   * The blocks of a graph that OpenTofu does not evaluate because of errors: those that depend on a block with errors, and resources whose
   * instances are not known.
   *
   * @see OpenTofu dag/walk.go
   */
  skippedIn(graph: DependencyGraph): ReadonlySet<DependencyNode> {
    const faults = this.faultsIn(graph);
    const skipped = new Set([...faults].flatMap(([node, instances]) => (instances === undefined ? [node] : [])));
    if (faults.size === 0) return skipped;
    const faulty = new Set(faults.keys());
    for (const node of graph.nodes) if (!graph.ancestors(node).isDisjointFrom(faulty)) skipped.add(node);
    return skipped;
  }

  /** Removes the errors of a block, and the diagnostics reported with them, from a report. */
  remove(block: string, report: Report): void {
    removeFrom(report, this.#faults.get(block));
  }

  /** Removes from a report the recorded warnings of the blocks of a graph that are not needed. */
  removeUnneededWarnings(graph: DependencyGraph, report: Report, isNeeded: (node: DependencyNode) => boolean): void {
    for (const [block, warnings] of this.#warnings) {
      const node = graph.node(block);
      if (node !== undefined && !isNeeded(node)) removeFrom(report, warnings);
    }
  }
}

function removeFrom(report: Report, diagnostics: readonly Diagnostic[] = []): void {
  const removed = new Set(diagnostics);
  if (removed.size > 0) report.splice(0, report.length, ...report.filter((diagnostic) => !removed.has(diagnostic)));
}
