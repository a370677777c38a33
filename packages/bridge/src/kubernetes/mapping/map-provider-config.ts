// SPDX-License-Identifier: Apache-2.0
import { createSchema, type Provider, type Schema } from "@tenon/schema";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { BridgeError } from "../../error.ts";
import { assertGroup } from "./api-group.ts";
import type { KindScope, ObjectMapping } from "./mapping.ts";
import { mapBlock } from "./object-mapping.ts";
import type { ResourceRules } from "./resource-rules.ts";
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
  /** Version of the definitions, and the fields of `spec.configuration` that the present schema has renamed or removed. */
  readonly rules: ConfigRules;
}

/** Rules about the configurations of a provider, which have the name `ProviderConfig`. */
export type ConfigRules = Pick<ResourceRules, "version" | "moves">;

/** Options of {@link mapProviderConfig}. */
export interface ProviderConfigOptions extends Pick<ProviderConfigMapping, "group"> {
  readonly scope?: KindScope;
  /** Rules by name, as those of resource types. The rules of `ProviderConfig` are used. */
  readonly rules?: Readonly<Record<string, ResourceRules>>;
}

/** Name of the rules about configurations. */
export const configRuleName = "ProviderConfig";

/** Maps the configuration of a provider. @throws BridgeError `INVALID_ARGUMENTS` for an invalid group, or rules that apply to resource types only. */
export function mapProviderConfig(
  schema: Schema | undefined,
  { group, scope = "Namespaced", rules = {} }: ProviderConfigOptions,
): ProviderConfigMapping {
  assertGroup(group);
  const config = schema ?? createSchema({});
  return { group, scope, schema: config, fields: mapBlock(config.block, new RuleScope({})), rules: configRules(rules) };
}

function configRules(rules: Readonly<Record<string, ResourceRules>>): ConfigRules {
  const own = Object.hasOwn(rules, configRuleName) ? rules[configRuleName]! : {};
  const other = Object.keys(own).find((rule) => rule !== "version" && rule !== "moves");
  if (other === undefined) return own;
  throw new BridgeError("INVALID_ARGUMENTS", `the rules of ${configRuleName} have ${other}, which applies to resource types only`);
}

/** Maps the configuration of a running provider, which need not be configured. @throws BridgeError also `PROVIDER_FAILED` */
export async function mapConfigOf(provider: Provider, options: ProviderConfigOptions): Promise<ProviderConfigMapping> {
  const { schemas } = await providerSchemas(provider, `group ${options.group}`);
  return mapProviderConfig(schemas.provider, options);
}

/** Names of the kinds for configurations and usages, which resource types cannot have. */
export const configKindNames = ["ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage"] as const;

/** Name of a kind for configurations or usages. */
export type ConfigKindName = (typeof configKindNames)[number];
