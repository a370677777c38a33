// SPDX-License-Identifier: Apache-2.0
import { createSchema, type Provider, type Schema } from "@tenon/schema";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { assertGroup } from "./api-group.ts";
import type { KindScope, ObjectMapping } from "./mapping.ts";
import { mapBlock } from "./object-mapping.ts";
import { RuleScope } from "./rule-scope.ts";

/** The mapping of the configuration of a provider to custom resources. */
export interface ProviderConfigMapping {
  /** API group: the same as for the kinds of the provider. */
  readonly group: string;
  /**
   * Scope of the kinds that use the configurations. With `Namespaced`, there is a namespaced kind `ProviderConfig` and a cluster-scoped kind
   * `ClusterProviderConfig`; with `Cluster`, only a cluster-scoped kind `ProviderConfig`.
   */
  readonly scope: KindScope;
  /** Schema of the configuration; empty for a provider without one. */
  readonly schema: Schema;
  /** Fields of `spec.configuration`. */
  readonly fields: ObjectMapping;
}

/** Options of {@link mapProviderConfig}. */
export type ProviderConfigOptions = Pick<ProviderConfigMapping, "group"> & { readonly scope?: KindScope };

/** Maps the configuration of a provider. @throws BridgeError `INVALID_ARGUMENTS` for an invalid group. */
export function mapProviderConfig(
  schema: Schema | undefined,
  { group, scope = "Namespaced" }: ProviderConfigOptions,
): ProviderConfigMapping {
  assertGroup(group);
  const config = schema ?? createSchema({});
  return { group, scope, schema: config, fields: mapBlock(config.block, new RuleScope({})) };
}

/** Maps the configuration of a running provider, which need not be configured. @throws BridgeError also `PROVIDER_FAILED` */
export async function mapConfigOf(provider: Provider, options: ProviderConfigOptions): Promise<ProviderConfigMapping> {
  const { schemas } = await providerSchemas(provider, `group ${options.group}`);
  return mapProviderConfig(schemas.provider, options);
}

/** Names of the kinds for configurations and usages, which resource types cannot have. */
export const configKindNames = ["ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage"] as const;
