// SPDX-License-Identifier: Apache-2.0
import { formatProviderConfig, type ProviderConfig } from "../address/provider-config.ts";
import { formatResourceInstance } from "../address/resource.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { SchemaSource } from "../evaluation/dependency-builder.ts";
import { InstanceReferences } from "../evaluation/instance-references.ts";
import { providerBlockOf } from "../provider/provider-resolution.ts";
import type { State } from "../state/state.ts";

/** The configuration and the state that a graph is made of. */
export interface GraphInput {
  readonly configuration: Configuration;
  readonly state: State;
  readonly graph: DependencyGraph;
  /** Which instances of a resource a block refers to. */
  readonly references: InstanceReferences;
}

/** Collects the dependencies between the blocks, and checks that the state's objects have a provider. */
export function graphInput(configuration: Configuration, state: State, schemas: SchemaSource, report: Report): GraphInput {
  const references = new InstanceReferences();
  const providers = new Map([...state.resources.values()].map(({ provider }) => [formatProviderConfig(provider), provider]));
  const declared = [...providers.values()].filter((provider) => isDeclared(configuration, provider));
  const graph = new DependencyGraph(configuration, schemas, {
    providers: declared,
    onResourceReference: (from, to, subject) => references.add(from, to, subject),
  });
  report.push(...graph.unknownFunctionProviders, ...graph.cycleErrors());
  for (const { address, provider, instances } of state.resources.values()) {
    if (declared.includes(providers.get(formatProviderConfig(provider))!)) continue;
    if (graph.resource({ module: address.module.map(({ name }) => name), resource: address.resource })?.block !== undefined) continue;
    for (const key of instances.keys()) {
      const text = `${formatResourceInstance({ ...address, key })} (orphan)`;
      const original = formatProviderConfig(provider);
      const detail = `To work with ${text} its original provider configuration at ${original} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${text}, after which you can remove the provider configuration again.`;
      reportError(report, "Provider configuration not present", detail);
    }
  }
  return { configuration, state, graph, references };
}

/** Whether the configuration has the provider configuration. The default one of the root module needs no block. */
function isDeclared(root: Configuration, config: ProviderConfig): boolean {
  if (config.module.length === 0 && config.alias === undefined) return true;
  const module = descendant(root, config.module);
  return module !== undefined && providerBlockOf(module, config) !== undefined;
}
