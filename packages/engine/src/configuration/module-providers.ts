// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Expression, type SourceRange } from "@tenon/hcl";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import type { ProviderAddress } from "../address/provider.ts";
import type { ModuleCall } from "./module-call.ts";
import type { Module } from "./module.ts";
import type { PassedProvider } from "./provider-reference.ts";

/** The provider configurations of a module, by their kind. */
export interface ModuleProviders {
  /** Blocks with arguments. The caller cannot pass another configuration of the same name. */
  readonly configured: ReadonlyMap<string, SourceRange>;
  /** Blocks without arguments: the older way to declare that the caller must pass a configuration. */
  readonly empty: ReadonlyMap<string, SourceRange>;
  /** The `for_each` of each block that has one. */
  readonly forEach: ReadonlyMap<string, Expression>;
  /** The providers of the names in `configuration_aliases`. */
  readonly aliases: ReadonlyMap<string, ProviderAddress>;
  /** The providers of the local names in `required_providers`. */
  readonly localNames: ReadonlyMap<string, ProviderAddress>;
  /** The configurations that the caller passes, by their names in the module. */
  readonly passedIn: ReadonlyMap<string, PassedProvider>;
}

/**
 * Collects the provider configurations of a module.
 *
 * @param call The call of the module; undefined for the root module.
 */
export function providersOf(module: Module, call: ModuleCall | undefined): ModuleProviders {
  const configured = new Map<string, SourceRange>();
  const empty = new Map<string, SourceRange>();
  const forEach = new Map<string, Expression>();
  for (const [name, provider] of module.providers) {
    // OpenTofu regards a block as empty if an override file changed it.
    const hasArguments = !provider.isOverridden && hasErrors(provider.config.content({}).diagnostics);
    (hasArguments || provider.version !== undefined ? configured : empty).set(name, provider.range);
    if (provider.forEach !== undefined) forEach.set(name, provider.forEach);
  }
  const localNames = new Map<string, ProviderAddress>();
  const aliases = new Map<string, ProviderAddress>();
  for (const required of module.requiredProviders.values()) {
    localNames.set(required.localName, required.provider);
    for (const alias of required.aliases) aliases.set(formatLocalProviderConfigCompact(alias), required.provider);
  }
  const passedIn = new Map((call?.providers ?? []).map((passed) => [formatLocalProviderConfigCompact(passed.inChild), passed]));
  return { configured, empty, forEach, aliases, localNames, passedIn };
}
