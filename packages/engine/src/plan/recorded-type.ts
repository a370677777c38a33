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

/** The resource type of an object in the state, and its configured provider. @throws UpstreamError after an error, which is reported. */
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
 * The provider configuration of an object in the state: the one of its block, or without a block the recorded one. If the configuration has
 * `for_each`, the object gets the instance that a call of its module selects, or else the recorded instance.
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
  const selectedKey = await keyOfModuleCall(run, walk, object, key);
  if (selectedKey !== undefined) return { config, key: selectedKey };
  const [configured, stored] = [formatProviderConfig(config), formatProviderConfig(recorded.config)];
  if (configured === stored) return recorded;
  const detail = `Provider from configuration ${configured} does not match provider from state ${stored} for resource ${formatResourceInstance(instance)}`;
  return walk.root.settle(recorded, [{ severity: "error", summary: "Unable to use fallback provider from state", detail }]);
}

/** The key of the provider instance that a module call selects for an object; undefined if no call of an existing module instance does. */
async function keyOfModuleCall(
  run: PlanRun,
  walk: ResourceWalk,
  { instance, deposed }: ResourceInstanceObject,
  { expression, callsAbove }: ProviderKey,
): Promise<string | undefined> {
  if (callsAbove === 0 || deposed !== undefined || run.settings.mode === "destroy") return undefined;
  const scope = await scopeOf(walk.root, instance.module.slice(0, instance.module.length - callsAbove + 1));
  return scope?.caller && providerInstanceKey(expression, { ...scope.caller, address: formatResourceInstance(instance) });
}
