// SPDX-License-Identifier: Apache-2.0
// Checks of the whole configuration, before the first block is validated.
import type { Diagnostic } from "@tenon/hcl";
import { formatProviderConfig } from "../address/provider-config.ts";
import { formatProvider, isBuiltInProvider } from "../address/provider.ts";
import { formatConfigResource } from "../address/resource.ts";
import { allModules, descendant, type Configuration } from "../configuration/configuration.ts";
import { providerConfigOfResource, resourcesIn } from "../configuration/module.ts";
import type { ProviderRequirement } from "../configuration/provider-requirements.ts";
import { reportError, type Report } from "../configuration/report.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { providerBlockOf, resolveProviderConfig } from "../provider/provider-resolution.ts";
import { provisionerTypes } from "./provisioner-schema.ts";

/** Reports required providers that the pool does not have. */
export function reportMissingProviders(required: readonly ProviderRequirement[], pool: ProviderPool, report: Report): void {
  for (const { provider } of required) {
    if (pool.has(provider)) continue;
    const text = formatProvider(provider);
    const detail = isBuiltInProvider(provider)
      ? `This configuration requires built-in provider ${text}, but that provider isn't available in this OpenTofu version.`
      : `This configuration requires provider ${text}, but that provider isn't available. You may be able to install it automatically by running:\n  tofu init`;
    reportError(report, "Missing required provider", detail);
  }
}

/** Errors about arguments of module calls that are not variables of the called module, and about required ones that are missing. */
export function argumentsOfCalls(root: Configuration): readonly Diagnostic[] {
  return [...allModules(root)].flatMap(({ parent, path, module }) => {
    if (parent === undefined) return [];
    const attributes = [...module.variables.values()].map(({ name, default: value }) => ({ name, required: value === undefined }));
    return parent.module.calls.get(path.at(-1)!)!.config.content({ attributes }).diagnostics;
  });
}

/** Errors about references to provider configurations that do not exist. @see OpenTofu transform_provider.go */
export function missingProviderConfigurations(root: Configuration): readonly Diagnostic[] {
  const errors: Report = [];
  for (const configuration of allModules(root)) {
    for (const block of resourcesIn(configuration.module)) {
      if (block.provider === undefined) continue;
      const { config } = resolveProviderConfig(configuration, providerConfigOfResource(block), block.provider);
      if (config.alias === undefined) continue;
      const at = descendant(root, config.module);
      if (at !== undefined && providerBlockOf(at, config) !== undefined) continue;
      const resource = formatConfigResource({ module: configuration.path, resource: block.address });
      const { alias } = providerConfigOfResource(block);
      const original = formatProviderConfig({
        module: configuration.path,
        provider: block.provider,
        ...(alias !== undefined && { alias }),
      });
      const detail = `To work with ${resource} its original provider configuration at ${original} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${resource}, after which you can remove the provider configuration again.`;
      reportError(errors, "Provider configuration not present", detail);
    }
  }
  return errors;
}

/** Errors about provisioners whose type does not exist. */
export function missingProvisioners(configuration: Configuration): readonly Diagnostic[] {
  const errors: Report = [];
  for (const { module } of allModules(configuration)) {
    for (const { managed } of module.managedResources.values()) {
      for (const { type } of managed?.provisioners ?? []) {
        if (provisionerTypes.has(type)) continue;
        const detail = `This configuration requires provisioner plugin ${JSON.stringify(type)}, which isn't available. If you're intending to use an external provisioner plugin, you must install it manually into one of the plugin search directories before running OpenTofu.`;
        reportError(errors, "Missing required provisioner plugin", detail);
      }
    }
  }
  return errors;
}
