// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { formatInModulePath, type ModulePath } from "../address/module.ts";
import type { Reference } from "../address/reference.ts";
import type { ProviderConfig } from "../address/provider-config.ts";
import { formatConfigResource, type ConfigResource } from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { stronglyConnectedComponents } from "../strongly-connected.ts";
import { DependencyBuilder, type DependencyOptions, type SchemaSource } from "./dependency-builder.ts";
import { resourceNodeKey, targetNode, type DependencyNode } from "./dependency-node.ts";

/**
 * The dependencies between the blocks of a configuration, before any instance is known. As in OpenTofu, nodes are whole resources, not
 * instances. Targeting, the order of destruction, and the dependencies in states are based on this graph.
 *
 * @see OpenTofu transform_reference.go, transform_attach_config_resource.go
 */
export class DependencyGraph {
  readonly #nodes: ReadonlyMap<string, DependencyNode>;
  readonly #ancestors = new Map<DependencyNode, ReadonlySet<DependencyNode>>();
  /** Errors about functions of providers that the module does not require. */
  readonly unknownFunctionProviders: readonly Diagnostic[];

  constructor(root: Configuration, schemas: SchemaSource, options: DependencyOptions = {}) {
    const { nodes, unknownFunctionProviders } = new DependencyBuilder(root, schemas, options);
    this.#nodes = nodes;
    this.unknownFunctionProviders = unknownFunctionProviders;
  }

  /** All nodes. */
  get nodes(): Iterable<DependencyNode> {
    return this.#nodes.values();
  }

  /** The node of a resource; undefined if the configuration has none. */
  resource(resource: ConfigResource): DependencyNode | undefined {
    return this.#nodes.get(resourceNodeKey(resource));
  }

  /** The node of a block by its address in its module: `var.a`, `local.b`, `output.c`, `module.d (expand)`. */
  block(module: ModulePath, local: string): DependencyNode | undefined {
    return this.#nodes.get(formatInModulePath(module, local));
  }

  /** The node with the given key: the address of its block, such as `module.a.var.b`. */
  node(key: string): DependencyNode | undefined {
    return this.#nodes.get(key);
  }

  /** All nodes on which a node depends, directly or indirectly, without the node itself. */
  ancestors(node: DependencyNode): ReadonlySet<DependencyNode> {
    let ancestors = this.#ancestors.get(node);
    if (ancestors === undefined) this.#ancestors.set(node, (ancestors = reachable(node)));
    return ancestors;
  }

  /**
   * The addresses of the resources on which a resource depends, sorted, as in states.
   *
   * @param orphans Gives the resources that only the state has. What depends on a whole module depends on those that were in the module.
   */
  stateDependencies(resource: ConfigResource, orphans: () => readonly ConfigResource[]): readonly string[] {
    const node = this.resource(resource);
    return node === undefined ? [] : this.resourcesAmong(this.ancestors(node), orphans);
  }

  /**
   * The addresses of the resources among some nodes, sorted.
   *
   * @param orphans Gives the resources that only the state has. The end of a module stands for those that were in the module.
   */
  resourcesAmong(nodes: Iterable<DependencyNode>, orphans: () => readonly ConfigResource[]): readonly string[] {
    const addresses = new Set<string>();
    for (const { resource, part, module, local } of nodes) {
      if (resource !== undefined) addresses.add(formatConfigResource(resource));
      if (part !== "moduleEnd") continue;
      const path = [...module!.path, local!];
      for (const orphan of orphans()) {
        if (path.every((name, index) => orphan.module[index] === name)) addresses.add(formatConfigResource(orphan));
      }
    }
    return [...addresses].sort();
  }

  /** All that configurations of providers depend on. @param includes Whether a provider configuration counts. Default: all do. */
  neededByProviders(includes: (config: ProviderConfig) => boolean = () => true): ReadonlySet<DependencyNode> {
    const providers = [...this.#nodes.values()].filter(({ provider }) => provider !== undefined && includes(provider));
    return new Set(providers.flatMap((node) => [...this.ancestors(node)]));
  }

  /** An error for each group of nodes that depend on each other. */
  cycleErrors(): readonly Diagnostic[] {
    const components = stronglyConnectedComponents([...this.#nodes.values()], ({ dependencies }) => dependencies);
    const cycles = components.filter(([first, ...others]) => others.length > 0 || first!.dependencies.has(first!));
    return cycles.map((cycle) => {
      const names = cycle.map(({ name }) => name).sort();
      return { severity: "error", summary: `Cycle: ${names.join(", ")}`, detail: "" };
    });
  }

  /** The node to which a reference in a module leads; undefined if there is none. */
  target(configuration: Configuration, reference: Reference): DependencyNode | undefined {
    return targetNode(this.#nodes, configuration, reference);
  }
}

function reachable(start: DependencyNode): ReadonlySet<DependencyNode> {
  const visited = new Set<DependencyNode>();
  const waiting = [...start.dependencies];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    waiting.push(...node.dependencies);
  }
  visited.delete(start);
  return visited;
}
