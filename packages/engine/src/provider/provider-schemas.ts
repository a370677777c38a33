// SPDX-License-Identifier: Apache-2.0
import type { Block, GetProviderSchemaResponse, Schema } from "@tenon/schema";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import type { Resource } from "../address/resource.ts";
import { allModules, type Configuration } from "../configuration/configuration.ts";
import { providerOfLocalName, resourcesIn } from "../configuration/module.ts";
import type { State } from "../state/state.ts";
import { locateDiagnostics, type AddressedDiagnostic } from "./provider-diagnostic.ts";
import type { ProviderPool } from "./provider-pool.ts";

/** The schemas of all providers that a configuration configures, whose resources it declares, or whose objects a state has. */
export class ProviderSchemas {
  readonly #responses: ReadonlyMap<string, GetProviderSchemaResponse>;

  private constructor(responses: ReadonlyMap<string, GetProviderSchemaResponse>) {
    this.#responses = responses;
  }

  /** Requests the schemas of all these providers concurrently. */
  static async load(pool: ProviderPool, configuration: Configuration | undefined, state: State): Promise<ProviderSchemas> {
    const providers = new Map<string, ProviderAddress>();
    const modules = configuration === undefined ? [] : [...allModules(configuration)];
    // A provider block may exist for functions only, or be unused. It is no error then if the pool does not have the provider.
    for (const { module } of modules) {
      for (const { localName } of module.providers.values()) {
        const provider = providerOfLocalName(module, localName);
        if (pool.has(provider)) providers.set(formatProvider(provider), provider);
      }
    }
    for (const { module } of modules) {
      for (const { provider } of resourcesIn(module)) if (provider !== undefined) providers.set(formatProvider(provider), provider);
      for (const { localName } of module.providers.values()) {
        const provider = providerOfLocalName(module, localName);
        providers.set(formatProvider(provider), provider);
      }
    }
    for (const { provider } of state.resources.values()) providers.set(formatProvider(provider.provider), provider.provider);
    const responses = await Promise.all([...providers].map(async ([text, provider]) => [text, await pool.schemas(provider)] as const));
    return new ProviderSchemas(new Map(responses));
  }

  /** The diagnostics of the providers about their schemas. */
  get diagnostics(): readonly AddressedDiagnostic[] {
    return [...this.#responses].flatMap(([text, { diagnostics }]) => locateDiagnostics(diagnostics, undefined, text));
  }

  /** The schemas of all resource types of a mode that a provider has. */
  readonly types = (provider: ProviderAddress, mode: Resource["mode"]): ReadonlyMap<string, Schema> => {
    const response = this.#responses.get(formatProvider(provider));
    return response === undefined ? new Map() : resourceSchemas(response, mode);
  };

  /** The schema of a resource type; undefined if the provider does not have the type. */
  readonly resource = (provider: ProviderAddress, { mode, type }: Pick<Resource, "mode" | "type">): Schema | undefined => {
    const response = this.#responses.get(formatProvider(provider));
    return response && resourceSchemas(response, mode).get(type);
  };

  /** The schema of a provider's configuration; undefined if the provider has none. */
  readonly configuration = (provider: ProviderAddress): Block | undefined => this.#responses.get(formatProvider(provider))?.provider?.block;
}

/** The schemas of all resource types of a mode that a provider has. */
export function resourceSchemas(response: GetProviderSchemaResponse, mode: Resource["mode"]): ReadonlyMap<string, Schema> {
  return { managed: response.resources, data: response.dataSources, ephemeral: response.ephemeralResources }[mode];
}
