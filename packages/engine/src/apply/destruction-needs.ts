// SPDX-License-Identifier: Apache-2.0
import { formatProviderConfig } from "../address/provider-config.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";

/** Tells which resources the destruction of an object waits for, because the configuration of its provider refers to them. */
export class DestructionNeeds {
  readonly #graph: DependencyGraph;
  readonly #byProvider = new Map<string, readonly string[]>();

  constructor(graph: DependencyGraph) {
    this.#graph = graph;
  }

  /** The addresses of the resources in the configuration. */
  of({ provider }: ResourceChange): readonly string[] {
    const key = formatProviderConfig(provider.config);
    let needs = this.#byProvider.get(key);
    if (needs === undefined) {
      const node = this.#graph.node(key);
      needs = node === undefined ? [] : this.#graph.resourcesAmong(this.#graph.ancestors(node), () => []);
      this.#byProvider.set(key, needs);
    }
    return needs;
  }
}
