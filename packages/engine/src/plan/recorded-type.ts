// SPDX-License-Identifier: Apache-2.0
import { resourceType } from "@tenon/schema/lifecycle";
import { modulePathOf } from "../address/module.ts";
import { formatProviderConfig, formatProviderConfigInstance, type ProviderConfigInstance } from "../address/provider-config.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import { descendant } from "../configuration/configuration.ts";
import { providerConfigOfResource, resourceBlock } from "../configuration/module.ts";
import { providerBlockOf, resolveProviderConfig, type ProviderKey } from "../provider/provider-resolution.ts";
import { scopeOf } from "../walk/module-lookup.ts";
import { providerInstanceKey } from "../walk/provider-instance-key.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { TypedProvider } from "../walk/walk-providers.ts";
import type { PlanRun } from "./plan-run.ts";

/** The type of an object in the state, of its provider configuration. */
export async function recordedType(run: PlanRun, walk: ResourceWalk, object: ResourceInstanceObject): Promise<TypedProvider> {
  const { instance } = object;
  const address = await providerOfObject(run, walk, object);
  const { config } = address;
  const configuration = descendant(run.configuration, config.module);
  const isDeclared =
    configuration !== undefined &&
    ((config.module.length === 0 && config.alias === undefined) || providerBlockOf(configuration, config) !== undefined);
  if (!isDeclared) {
    const text = formatResourceInstance(instance);
    const detail = `To work with ${text} its original provider configuration at ${formatProviderConfigInstance(address)} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${text}, after which you can remove the provider configuration again.`;
    walk.root.settle(undefined, [{ severity: "error", summary: "Provider configuration not present", detail }]);
  }
  const provider = await walk.providers.configuredProvider(address, object);
  const { resources } = await walk.providers.providerSchemas(config.provider);
  if (!resources.has(instance.resource.type)) {
    const detail = `The provider of ${formatResourceInstance(instance)} has no resource type "${instance.resource.type}" any more.`;
    walk.root.settle(undefined, [{ severity: "error", summary: "Invalid resource type", detail }]);
  }
  const type = await resourceType(provider.provider, instance.resource.type, { providerAddress: formatProviderConfig(config) });
  return { type, provider };
}

/**
 * The provider configuration of an object in the state: the one that its block names, if there still is a block, and else the one that the
 * object was made with. Of a configuration with `for_each` the object needs the instance that it was made with, unless a call of its module
 * selects the instance, and still has that module instance.
 *
 * @see OpenTofu node_resource_abstract_instance.go, resolveProvider
 */
async function providerOfObject(run: PlanRun, walk: ResourceWalk, object: ResourceInstanceObject): Promise<ProviderConfigInstance> {
  const { instance } = object;
  const recorded = run.recordedProvider({ instance })!;
  const configuration = descendant(run.configuration, modulePathOf(instance.module));
  const block = configuration && resourceBlock(configuration.module, instance.resource);
  if (block?.provider === undefined) return recorded;
  const { config, key } = resolveProviderConfig(
    configuration!,
    providerConfigOfResource(block),
    block.provider,
    block.providerReference?.key,
  );
  if (key === undefined) return { config };
  const selected = await keyOfModuleCall(run, walk, object, key);
  if (selected !== undefined) return { config, key: selected };
  const [configured, stored] = [formatProviderConfig(config), formatProviderConfig(recorded.config)];
  if (configured === stored) return recorded;
  const detail = `Provider from configuration ${configured} does not match provider from state ${stored} for resource ${formatResourceInstance(instance)}`;
  return walk.root.settle(recorded, [{ severity: "error", summary: "Unable to use fallback provider from state", detail }]);
}

/** The key of the provider instance that a module call selects for an object without a block; undefined if no call of a remaining module does. */
async function keyOfModuleCall(
  run: PlanRun,
  walk: ResourceWalk,
  { instance, deposed }: ResourceInstanceObject,
  { expression, callsAbove }: ProviderKey,
): Promise<string | undefined> {
  if (callsAbove === 0 || deposed !== undefined || run.settings.mode === "destroy") return undefined;
  const called = await scopeOf(walk.root, instance.module.slice(0, instance.module.length - callsAbove + 1));
  if (called?.caller === undefined) return undefined;
  return providerInstanceKey(expression, { ...called.caller, address: formatResourceInstance(instance) });
}
