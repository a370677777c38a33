// SPDX-License-Identifier: Apache-2.0
import { formatProviderConfig } from "../address/provider-config.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";

/** Tells which resources the configurations of providers depend on. The destruction of an object waits for those of its provider. */
export class ProviderDependencies {
  readonly #graph: DependencyGraph;
  readonly #byProvider = new Map<string, readonly string[]>();

  constructor(graph: DependencyGraph) {
    this.#graph = graph;
  }

  /** The addresses, in the configuration, of the resources on which the provider configuration of a change depends. */
  of({ provider }: ResourceChange): readonly string[] {
    const key = formatProviderConfig(provider.config);
    let resources = this.#byProvider.get(key);
    if (resources === undefined) {
      const node = this.#graph.node(key);
      resources = node === undefined ? [] : this.#graph.resourcesAmong(this.#graph.ancestors(node), () => []);
      this.#byProvider.set(key, resources);
    }
    return resources;
  }
}
