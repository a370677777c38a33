// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "@tenon/hcl";
import type { LocalProviderConfig, ProviderConfig } from "../address/provider-config.ts";
import { isSameProvider, type ProviderAddress } from "../address/provider.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { providerOfLocalName } from "../configuration/module.ts";
import type { ProviderBlock } from "../configuration/provider-block.ts";
import { localProviderConfig } from "../configuration/provider-reference.ts";

/** The provider configuration to which a reference in a module resolves. */
export interface ResolvedProvider {
  readonly config: ProviderConfig;
  /** The instance of a configuration with `for_each`. */
  readonly key?: ProviderKey;
}

/** An expression for the key of a provider instance, and the module that contains it. */
export interface ProviderKey {
  readonly expression: Expression;
  /** Number of module calls between the module of the reference and the expression: 0 in the module itself, 1 in its call, … */
  readonly callsAbove: number;
}

/**
 * Finds the configuration of a provider by its local name: in the module itself, through the `providers` of the calls, or inherited from
 * the calling modules. If none declares it, the result is the empty configuration of the root module.
 *
 * @see OpenTofu transform_provider.go
 */
export function resolveProviderConfig(
  configuration: Configuration,
  local: LocalProviderConfig,
  provider: ProviderAddress,
  key?: Expression,
): ResolvedProvider {
  let at = configuration;
  let name = local;
  let providerKey: ProviderKey | undefined = key && { expression: key, callsAbove: 0 };
  for (let callsAbove = 1; ; callsAbove++) {
    const { parent, module, path } = at;
    const isDeclared = module.providers.has(name.alias === undefined ? name.localName : `${name.localName}.${name.alias}`);
    if (isDeclared || parent === undefined) {
      const config: ProviderConfig = { module: path, provider, ...(name.alias !== undefined && { alias: name.alias }) };
      return { config, ...(providerKey && { key: providerKey }) };
    }
    const passed = parent.module.calls
      .get(path.at(-1)!)
      ?.providers.find(({ inChild }) => inChild.localName === name.localName && inChild.alias === name.alias);
    if (passed === undefined) name = inherited(parent, name, provider);
    else {
      name = localProviderConfig(passed.inParent);
      if (passed.inParent.key !== undefined) providerKey = { expression: passed.inParent.key, callsAbove };
    }
    at = parent;
  }
}

/** The parent's local name of the same provider. The two modules can use different local names for it. */
function inherited(parent: Configuration, name: LocalProviderConfig, provider: ProviderAddress): LocalProviderConfig {
  if (isSameProvider(providerOfLocalName(parent.module, name.localName), provider)) return name;
  for (const [localName, required] of parent.module.requiredProviders) {
    if (isSameProvider(required.provider, provider)) return { ...name, localName };
  }
  return name;
}

/** The `provider` block of a provider configuration in the module that declares it; undefined for an implied configuration. */
export function providerBlockOf({ module }: Configuration, config: ProviderConfig): ProviderBlock | undefined {
  for (const block of module.providers.values()) {
    const provider = module.requiredProviders.get(block.localName)?.provider;
    const matches = provider === undefined ? block.localName === config.provider.type : isSameProvider(provider, config.provider);
    if (matches && block.alias === config.alias) return block;
  }
  return undefined;
}
