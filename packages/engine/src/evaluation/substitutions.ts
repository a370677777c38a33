// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { GetProviderSchemaResponse, Provider } from "@tenon/schema";
import type { ModulePath } from "../address/module.ts";
import type { ProviderConfig } from "../address/provider-config.ts";
import type { ResourceInstance } from "../address/resource.ts";

/** A provider that a substitute may take the place of. */
export interface SubstitutedProvider {
  readonly provider: Provider;
  readonly schemas: () => Promise<GetProviderSchemaResponse>;
}

/** What takes the place of providers and modules in a test of a configuration. */
export interface Substitutions {
  /** Whether a configuration of a provider is mocked. Its instances are then opened for their schemas, and never configured. */
  readonly isMocked: (config: ProviderConfig) => boolean;
  /** The provider that is called for the objects of an instance: the given one, or a substitute for it. */
  readonly providerFor: (instance: ResourceInstance, config: ProviderConfig, provider: SubstitutedProvider) => Provider;
  /** The outputs of a module whose resources do not take part; undefined for all other modules. */
  readonly outputsOf: (module: ModulePath) => ReadonlyMap<string, Value> | undefined;
}

/** Whether the resources of a module do not take part, because its outputs, or those of a module above it, are substituted. */
export function isSubstituted(substitutions: Substitutions | undefined, module: ModulePath): boolean {
  if (substitutions === undefined) return false;
  return module.some((_, index) => substitutions.outputsOf(module.slice(0, index + 1)) !== undefined);
}
