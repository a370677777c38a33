// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/hcl";
import { formatInstanceKey } from "../address/instance-key.ts";
import {
  formatProviderConfig,
  formatProviderConfigInstance,
  type ProviderConfig,
  type ProviderConfigInstance,
} from "../address/provider-config.ts";
import { isSameProvider } from "../address/provider.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { descendant } from "../configuration/configuration.ts";
import { providerOfLocalName } from "../configuration/module.ts";

/** The instances of a provider configuration, `each.value` by `each.key`; undefined if it has no `for_each`. */
export function providerInstancesOf(
  { module, providerInstances }: Configuration,
  config: ProviderConfig,
): ReadonlyMap<string, Value> | undefined {
  for (const [name, instances] of providerInstances) {
    const block = module.providers.get(name);
    if (block === undefined || block.alias !== config.alias) continue;
    if (isSameProvider(providerOfLocalName(module, block.localName), config.provider)) return instances;
  }
  return undefined;
}

/**
 * The error about an object whose provider configuration has no instance with the key of the object; undefined if it has one.
 *
 * @see OpenTofu node_resource_abstract_instance.go, resolveProvider
 */
export function absentProviderInstance(
  root: Configuration,
  provider: ProviderConfigInstance,
  object: ResourceInstanceObject,
): Diagnostic | undefined {
  const { config, key } = provider;
  const configuration = descendant(root, config.module);
  const instances = configuration && providerInstancesOf(configuration, config);
  if (key === undefined ? instances === undefined : instances?.has(String(key)) === true) return undefined;
  const detail = key === undefined ? withoutKey(provider, object) : withKey(provider, object);
  return { severity: "error", summary: "Provider instance not present", detail };
}

/** The object was made with an instance that `for_each` has no more. */
function withKey(provider: ProviderConfigInstance, { instance, deposed }: ResourceInstanceObject): string {
  const text = formatResourceInstance(instance);
  const original = formatProviderConfigInstance(provider);
  const cause =
    "This occurs when an element is removed from the provider configuration's for_each collection while objects created by that the associated provider instance still exist in the state.";
  const end = "after which you can remove the provider configuration again.";
  if (deposed !== undefined) {
    return `To work with ${text}'s deposed object ${deposed} its original provider instance at ${original} is required, but it has been removed. ${cause} Re-add the for_each element to destroy this deposed object for ${text}, ${end}`;
  }
  return `To work with ${text} its original provider instance at ${original} is required, but it has been removed. ${cause} Re-add the for_each element to destroy ${text}, ${end}\n\nThis is commonly caused by using the same for_each collection both for a resource (or its containing module) and its associated provider configuration. To successfully remove an instance of a resource it must be possible to remove the corresponding element from the resource's for_each collection while retaining the corresponding element in the provider's for_each collection.`;
}

/** The object was made when the provider configuration had no `for_each`. */
function withoutKey({ config }: ProviderConfigInstance, { instance, deposed }: ResourceInstanceObject): string {
  const text = formatResourceInstance(instance);
  const original = formatProviderConfig(config);
  const start = (what: string, existing: string): string =>
    `To work with ${what} its original provider instance at ${original} is required, but it has been removed. This suggests that you've added for_each to this provider configuration while there are existing ${existing} that need to be destroyed by the original single-instance provider configuration.\n\nTo proceed, return to your previous single-instance configuration for ${original} and ensure that`;
  if (deposed !== undefined) {
    return `${start(`${text}'s deposed object ${deposed}`, `deposed objects of ${text}`)} all deposed instances of ${text} have been destroyed before using for_each with this provider.`;
  }
  const { module, resource, key } = instance;
  const whole = formatResourceInstance({ module, resource });
  // Go prints a missing key so.
  const keyText = key === undefined ? "%!s(<nil>)" : formatInstanceKey(key);
  return `${start(text, `instances of ${whole}`)} ${text} has been destroyed or forgotten before using for_each with this provider, or change the resource configuration to still declare an instance with the key ${keyText}.`;
}
