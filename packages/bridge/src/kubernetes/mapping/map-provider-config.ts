// SPDX-License-Identifier: Apache-2.0
import { createSchema, type Provider, type Schema } from "@tenon/schema";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { assertGroup } from "./api-group.ts";
import type { KindScope, ObjectMapping } from "./mapping.ts";
import { mapBlock } from "./object-mapping.ts";
import { RuleScope } from "./rule-scope.ts";

/** How the configuration of a provider appears as custom resources. */
export interface ProviderConfigMapping {
  /** API group, that of the kinds of the provider. */
  readonly group: string;
  /**
   * Scope of the kinds that use the configurations. With `Namespaced`, there are a `ProviderConfig` for each namespace and a
   * `ClusterProviderConfig` for all; with `Cluster`, only a `ProviderConfig` for all.
   */
  readonly scope: KindScope;
  /** Schema of the configuration; empty for a provider without one. */
  readonly schema: Schema;
  /** Fields of `spec.configuration`. */
  readonly fields: ObjectMapping;
}

/** What {@link mapProviderConfig} depends on beside the schema. */
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

/** Names of the kinds that hold configurations. No resource type gets one of them. */
export const configKindNames = ["ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage"] as const;
