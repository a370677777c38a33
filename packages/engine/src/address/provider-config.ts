// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, Traversal } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { addressError, addressOf, parseAddressText, type ParsedAddress } from "./address-diagnostic.ts";
import { formatInstanceKey, instanceKeyOf, type InstanceKey } from "./instance-key.ts";
import { formatInModulePath, modulePathOf, type ModulePath } from "./module.ts";
import { modulePrefixOf } from "./module-prefix.ts";
import { builtInProvider, defaultRegistryHost, formatProvider, parseProvider, type ProviderAddress } from "./provider.ts";

/** A provider configuration by its local name in a module: `aws`, `aws.west`. */
export interface LocalProviderConfig {
  readonly localName: string;
  /** Absent for the default configuration. */
  readonly alias?: string;
}

/** A provider configuration by the module that declares it and the provider's source address. */
export interface ProviderConfig {
  readonly module: ModulePath;
  readonly provider: ProviderAddress;
  /** Absent for the default configuration. */
  readonly alias?: string;
}

/** An instance of a provider configuration. */
export interface ProviderConfigInstance {
  readonly config: ProviderConfig;
  /** Absent if the configuration has no `for_each`. */
  readonly key?: InstanceKey;
}

/** Formats `provider.aws.west`. */
export function formatLocalProviderConfig({ localName, alias }: LocalProviderConfig): string {
  return alias === undefined ? `provider.${localName}` : `provider.${localName}.${alias}`;
}

/** Formats `aws.west`, as in a configuration. */
export function formatLocalProviderConfigCompact({ localName, alias }: LocalProviderConfig): string {
  return alias === undefined ? localName : `${localName}.${alias}`;
}

/** Formats `module.a.provider["registry.opentofu.org/hashicorp/aws"].west`, as in state files. */
export function formatProviderConfig({ module, provider, alias }: ProviderConfig): string {
  const text = `provider["${formatProvider(provider)}"]`;
  return formatInModulePath(module, alias === undefined ? text : `${text}.${alias}`);
}

/** Formats the address of the configuration with the key in brackets. */
export function formatProviderConfigInstance({ config, key }: ProviderConfigInstance): string {
  return formatProviderConfig(config) + formatInstanceKey(key);
}

const summary = "Invalid provider configuration address";

/** Reads the address of a provider configuration instance. @see OpenTofu addrs.ParseAbsProviderConfigInstance */
export function providerConfigInstanceOf(traversal: Traversal): ParsedAddress<ProviderConfigInstance> {
  const { module, remain, diagnostics } = modulePrefixOf(traversal);
  const hasKeys = module.some(({ key }) => key !== undefined);
  const detail = "A provider configuration must not appear in a module instance that uses count or for_each.";
  const rest = hasKeys ? addressError(summary, detail, traversalRange(remain)) : instanceIn(modulePathOf(module), remain);
  return afterPrefix(diagnostics, rest);
}

/** Adds the diagnostics of the module prefix. The rest is parsed even after an invalid prefix, so that all errors are reported. */
function afterPrefix<T>(diagnostics: readonly Diagnostic[], rest: ParsedAddress<T>): ParsedAddress<T> {
  return diagnostics.length === 0 ? rest : { diagnostics: [...diagnostics, ...rest.diagnostics] };
}

function instanceIn(module: ModulePath, remain: Traversal): ParsedAddress<ProviderConfigInstance> {
  const [root, type, alias, index] = remain;
  if (type === undefined || root?.kind !== "root" || root.name !== "provider") {
    const detail = 'Provider address must begin with "provider.", followed by a provider type name.';
    return addressError(summary, detail, traversalRange(remain));
  }
  if (remain.length > 4) {
    return addressError(summary, "Extraneous operators after provider configuration reference.", traversalRange(remain.slice(4)));
  }
  if (type.kind !== "index" || typeof type.key.payload !== "string") {
    return addressError(summary, 'The prefix "provider." must be followed by a provider type name.', type.range);
  }
  const { provider, diagnostics } = parseProvider(type.key.payload);
  if (provider === undefined) return { diagnostics };
  if (alias !== undefined && alias.kind !== "attribute") {
    return addressError(summary, "Provider type name must be followed by a configuration alias name.", alias.range);
  }
  const config: ProviderConfig = alias === undefined ? { module, provider } : { module, provider, alias: alias.name };
  if (index === undefined) return addressOf({ config });
  if (index.kind !== "index") {
    return addressError(summary, "A provider configuration alias can be followed only by an instance key in brackets.", index.range);
  }
  const { key, reason } = instanceKeyOf(index.key);
  if (key === undefined) return addressError(summary, `Invalid provider instance key: ${reason}.`, index.range);
  return addressOf({ config, key });
}

/** Reads the address of a provider configuration without a key. @see OpenTofu addrs.ParseAbsProviderConfig */
export function providerConfigOf(traversal: Traversal): ParsedAddress<ProviderConfig> {
  const { address, diagnostics } = providerConfigInstanceOf(traversal);
  if (address === undefined) return { diagnostics };
  if (address.key === undefined) return addressOf(address.config);
  return addressError(summary, "A provider address must not include an instance key.", traversalRange(traversal));
}

/** Reads the text of a provider configuration instance's address. */
export function parseProviderConfigInstance(text: string): ParsedAddress<ProviderConfigInstance> {
  return parseAddressText(text, providerConfigInstanceOf);
}

/** Reads the text of a provider configuration's address. */
export function parseProviderConfig(text: string): ParsedAddress<ProviderConfig> {
  return parseAddressText(text, providerConfigOf);
}

/**
 * Reads the legacy address of a provider configuration in old state files: `module.a.provider.aws.west`. It names only the type of the
 * provider.
 *
 * @see OpenTofu addrs.ParseLegacyAbsProviderConfig
 */
export function parseLegacyProviderConfig(text: string): ParsedAddress<ProviderConfig> {
  return parseAddressText(text, (traversal) => {
    const { module, remain, diagnostics } = modulePrefixOf(traversal);
    const hasKeys = module.some(({ key }) => key !== undefined);
    const detail = "Provider address cannot contain module indexes";
    const rest = hasKeys ? addressError(summary, detail, traversalRange(remain)) : legacyConfigIn(modulePathOf(module), remain);
    return afterPrefix(diagnostics, rest);
  });
}

function legacyConfigIn(module: ModulePath, remain: Traversal): ParsedAddress<ProviderConfig> {
  const [root, type, alias] = remain;
  if (type === undefined || root?.kind !== "root" || root.name !== "provider") {
    const detail = 'Provider address must begin with "provider.", followed by a provider type name.';
    return addressError(summary, detail, traversalRange(remain));
  }
  if (remain.length > 3) {
    return addressError(summary, "Extraneous operators after provider configuration alias.", traversalRange(remain.slice(3)));
  }
  if (type.kind !== "attribute") {
    return addressError(summary, 'The prefix "provider." must be followed by a provider type name.', type.range);
  }
  if (alias !== undefined && alias.kind !== "attribute") {
    return addressError(summary, "Provider type name must be followed by a configuration alias name.", alias.range);
  }
  const provider: ProviderAddress =
    type.name === "terraform" ? builtInProvider(type.name) : { hostname: defaultRegistryHost, namespace: "-", type: type.name };
  return addressOf(alias === undefined ? { module, provider } : { module, provider, alias: alias.name });
}
