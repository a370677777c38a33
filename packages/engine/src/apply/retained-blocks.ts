// SPDX-License-Identifier: Apache-2.0
import { modulePathOf } from "../address/module.ts";
import { formatConfigResource, type ConfigResource } from "../address/resource.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { hasConditions } from "../configuration/resource.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { InstanceReferences } from "../evaluation/instance-references.ts";
import { select, type SelectedGraph, type SelectionLimits } from "../plan/targeting.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import type { AffectedBlocks } from "./affected-blocks.ts";
import { AwaitedInstances } from "./awaited-instances.ts";

/** A plan that is applied, with its targets and exclusions. */
export interface AppliedPlan extends SelectionLimits {
  readonly planned: PlannedChanges;
  readonly configuration: Configuration;
  readonly pool: ProviderPool;
}

/**
 * The blocks that an apply retains because something that it evaluates depends on them. OpenTofu evaluates them, with their warnings, and opens
 * the ephemeral resources among them; an error in a dependency of such a block reaches the blocks that depend on it.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
export class RetainedBlocks {
  readonly graph: DependencyGraph;
  readonly awaited: AwaitedInstances;
  readonly #input: AppliedPlan;
  readonly #retained = new Set<DependencyNode>();
  readonly #awaitedBy = new Map<DependencyNode, ReadonlySet<DependencyNode>>();
  #included: ReadonlySet<DependencyNode> | undefined;

  private constructor(graph: DependencyGraph, awaited: AwaitedInstances, input: AppliedPlan) {
    this.graph = graph;
    this.awaited = awaited;
    this.#input = input;
    for (const { action, address } of input.planned.resources) {
      const node = graph.resource({ module: modulePathOf(address.instance.module), resource: address.instance.resource });
      if (node?.block === undefined || action === "delete" || action === "forget") continue;
      if (action !== "noOp" || hasConditions(node.block)) this.#retain(node);
    }
    for (const node of graph.nodes) {
      if (node.part === "check") this.#retain(node);
      if (!isAlwaysEvaluated(node)) continue;
      this.#retained.add(node);
      // It does not retain the resources that it refers to directly.
      for (const dependency of node.dependencies) if (dependency.part !== "resource") this.#retain(dependency);
    }
  }

  /** Finds the blocks of a configuration whose planned changes are applied. */
  static async of(input: AppliedPlan): Promise<RetainedBlocks> {
    const { configuration, planned, pool } = input;
    const schemas = await ProviderSchemas.load(pool, configuration, planned.priorState);
    const references = new InstanceReferences();
    const graph = new DependencyGraph(
      configuration,
      {
        resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
        provider: ({ provider }) => schemas.configuration(provider),
      },
      {
        providers: [...new Set(planned.resources.map(({ provider }) => provider.config))],
        onResourceReference: (from, to, subject) => references.add(from, to, subject),
      },
    );
    return new RetainedBlocks(graph, new AwaitedInstances(graph, references, planned.resources), input);
  }

  /** Retains a node and its dependencies. What refers to a whole module also depends on its outputs, and does not retain the rest of it. */
  #retain(start: DependencyNode): void {
    const pending = [start];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.#retained.has(node)) continue;
      this.#retained.add(node);
      if (node.part !== "moduleEnd") pending.push(...node.dependencies);
    }
  }

  /**
   * Whether the objects of a resource wait for those of another one. What depends on a whole module does not wait for what only blocks of the
   * module depend on that are not retained, although the plan and the state record it as a dependency. Both are named by their addresses in the
   * configuration.
   */
  awaits(resource: string, dependency: string): boolean {
    const [node, target] = [this.graph.node(resource), this.graph.node(dependency)];
    if (node === undefined || target === undefined) return true;
    let awaited = this.#awaitedBy.get(node);
    if (awaited === undefined) this.#awaitedBy.set(node, (awaited = this.#awaitedNodes(node)));
    return awaited.has(target);
  }

  #awaitedNodes(start: DependencyNode): ReadonlySet<DependencyNode> {
    const ancestors = this.graph.ancestors(start);
    if (![...ancestors].some(({ part }) => part === "moduleEnd")) return ancestors;
    const awaited = new Set<DependencyNode>();
    const pending = [...start.dependencies];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (awaited.has(node)) continue;
      awaited.add(node);
      for (const dependency of node.dependencies) if (this.isAwaitedBy(node, dependency)) pending.push(dependency);
    }
    return awaited;
  }

  /** Whether a block waits for one of its dependencies. The end of a module waits only for blocks that are retained. */
  isAwaitedBy(node: DependencyNode, dependency: DependencyNode): boolean {
    return node.part !== "moduleEnd" || this.#retained.has(dependency);
  }

  /** Whether the apply retains the block of a resource. */
  has(resource: ConfigResource): boolean {
    const node = this.graph.resource(resource);
    return node !== undefined && this.#retained.has(node);
  }

  /** The addresses of the ephemeral resources that targets or exclusions include: those that are neither excluded nor depend on what is. */
  ephemeralResources(): ReadonlySet<string> {
    const resources = [...this.included].flatMap(({ resource }) => resource ?? []);
    return new Set(resources.filter(({ resource }) => resource.mode === "ephemeral").map(formatConfigResource));
  }

  /** The blocks that the apply evaluates, within its targets or exclusions. */
  get included(): ReadonlySet<DependencyNode> {
    if (this.#included === undefined) {
      const { graph } = this;
      const retained: SelectedGraph = {
        nodes: this.#retained,
        ancestors: (node) => this.#ancestors(node),
        resource: (address) => graph.resource(address),
      };
      const { planned, targets, excludes } = this.#input;
      const { includes } = select(retained, planned.priorState, { targets, excludes, destroys: false });
      this.#included = new Set([...this.#retained].filter(includes));
    }
    return this.#included;
  }

  /** All retained nodes on which a node depends through nothing but retained nodes. */
  #ancestors(start: DependencyNode): ReadonlySet<DependencyNode> {
    const ancestors = new Set<DependencyNode>();
    const pending = [start];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      for (const dependency of node.dependencies) {
        if (ancestors.has(dependency) || !this.#retained.has(dependency)) continue;
        ancestors.add(dependency);
        pending.push(dependency);
      }
    }
    return ancestors;
  }

  /**
   * Whether an output, a variable or a check depends on something with errors. For an output of the root module or a check, resources that are
   * not retained do not count.
   */
  isAffected(node: DependencyNode, affected: AffectedBlocks): boolean {
    const isOfRoot = node.isRootOutput === true || node.part === "check";
    const validation = node.part === "variable" ? this.graph.block(node.module!.path, `var.${node.local!} (reference)`) : undefined;
    for (const from of validation === undefined ? [node] : [node, validation]) {
      for (const dependency of from.dependencies) {
        // The validation of a variable depends on the variable.
        if (dependency === node) continue;
        if (isOfRoot && dependency.part === "resource" && !this.#retained.has(dependency)) continue;
        if (affected.isReached(from, dependency)) return true;
      }
    }
    return false;
  }
}

/** Whether an apply evaluates a block whatever it changes: an output of the root module, or the rules of a variable. */
function isAlwaysEvaluated({ isRootOutput, isValidated }: DependencyNode): boolean {
  return isRootOutput === true || isValidated === true;
}
