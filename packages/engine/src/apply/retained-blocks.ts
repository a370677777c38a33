// SPDX-License-Identifier: Apache-2.0
import { modulePathOf } from "../address/module.ts";
import { formatConfigResource } from "../address/resource.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";

/**
 * The blocks that OpenTofu visits in an apply although it evaluates none of their objects: those on which something depends that it does
 * evaluate. An ephemeral resource among them is opened, and an error in what they depend on reaches what depends on them.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
export class RetainedBlocks {
  readonly graph: DependencyGraph;
  readonly #retained = new Set<DependencyNode>();

  private constructor(graph: DependencyGraph, resources: PlannedChanges["resources"]) {
    this.graph = graph;
    for (const { action, address } of resources) {
      const node = graph.resource({ module: modulePathOf(address.instance.module), resource: address.instance.resource });
      if (node?.block === undefined || action === "delete" || action === "forget") continue;
      if (action !== "noOp" || node.block.preconditions.length + node.block.postconditions.length > 0) this.#retain(node);
    }
    for (const node of graph.nodes) {
      if (node.part === "check") this.#retain(node);
      // An output of the root module does not retain the resources that it refers to directly.
      if (node.isRootOutput) for (const one of node.dependencies) if (one.part !== "resource") this.#retain(one);
    }
  }

  /** Finds the blocks of a configuration whose planned changes are applied. */
  static async of(configuration: Configuration, { resources, priorState }: PlannedChanges, pool: ProviderPool): Promise<RetainedBlocks> {
    const schemas = await ProviderSchemas.load(pool, configuration, priorState);
    const graph = new DependencyGraph(configuration, {
      resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
      provider: ({ provider }) => schemas.configuration(provider),
    });
    return new RetainedBlocks(graph, resources);
  }

  /** Adds a node and those that it depends on. What depends on a whole module retains only the outputs of the module. */
  #retain(start: DependencyNode): void {
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (this.#retained.has(node)) continue;
      this.#retained.add(node);
      const { part, dependencies } = node;
      waiting.push(...(part === "moduleEnd" ? outputsOf(node) : dependencies));
    }
  }

  /** The addresses of the ephemeral resources. */
  get ephemeralResources(): ReadonlySet<string> {
    const resources = [...this.#retained].flatMap(({ resource }) => resource ?? []);
    return new Set(resources.filter(({ resource }) => resource.mode === "ephemeral").map(formatConfigResource));
  }

  /** Whether an output of the root module or a check depends on one of the given blocks. */
  dependsOn(node: DependencyNode, blocks: ReadonlySet<DependencyNode>): boolean {
    for (const dependency of node.dependencies) {
      if (dependency.part === "resource" && !this.#retained.has(dependency)) continue;
      if (blocks.has(dependency) || !this.graph.ancestors(dependency).isDisjointFrom(blocks)) return true;
    }
    return false;
  }
}

/** The outputs among what the end of a module call depends on, without those of the calls in the module. */
function outputsOf({ module, local, dependencies }: DependencyNode): readonly DependencyNode[] {
  const depth = module!.path.length + 1;
  return [...dependencies].filter(({ part, module: of }) => part === "output" && of!.path.length === depth && of!.path.at(-1) === local);
}
