// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, SourceRange } from "@tenon/hcl";
import { parseConstraints, type VersionConstraints } from "@tenon/plugin-host/address";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import { formatResource } from "../address/resource.ts";
import { allModules, type Configuration } from "./configuration.ts";
import { providerOfLocalName, resourcesIn } from "./module.ts";
import { reportError, type Report } from "./report.ts";
import { formatVersionRequirement, type VersionRequirement } from "./version-constraint.ts";

/** A provider that a configuration requires, and all constraints on its version. */
export interface ProviderRequirement {
  readonly provider: ProviderAddress;
  readonly constraints: VersionConstraints;
}

/**
 * Collects the providers that the modules of a configuration require: those of `required_providers`, and those of resources, data
 * sources, imports and provider blocks.
 *
 * @see OpenTofu configs, Config.ProviderRequirements
 */
export function providerRequirements(root: Configuration): {
  /** By the address of the provider. */
  readonly requirements: ReadonlyMap<string, ProviderRequirement>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const requirements = new Map<string, ProviderRequirement>();
  const diagnostics: Report = [];
  for (const configuration of allModules(root)) {
    for (const [key, { provider, constraints }] of shallowProviderRequirements(configuration, diagnostics)) {
      requirements.set(key, { provider, constraints: [...(requirements.get(key)?.constraints ?? []), ...constraints] });
    }
    checkImportProviders(configuration.module, diagnostics);
  }
  return { requirements, diagnostics };
}

/**
 * The providers that one module requires itself, without the modules that it calls, by the address of the provider.
 *
 * @see OpenTofu configs, Config.ProviderRequirementsShallow
 */
export function shallowProviderRequirements(
  { module }: Pick<Configuration, "module">,
  report: Report = [],
): ReadonlyMap<string, ProviderRequirement> {
  const requirements = new Map<string, { readonly provider: ProviderAddress; constraints: VersionConstraints }>();
  const add = (provider: ProviderAddress | undefined, version?: VersionRequirement): void => {
    if (provider === undefined) return;
    const key = formatProvider(provider);
    const entry = requirements.get(key) ?? { provider, constraints: [] };
    requirements.set(key, entry);
    if (version !== undefined) entry.constraints = [...entry.constraints, ...constraintsOf(version, report)];
  };
  for (const { provider, version } of module.requiredProviders.values()) add(provider, version);
  for (const { provider } of resourcesIn(module)) add(provider);
  for (const { provider } of module.imports) add(provider);
  for (const block of module.providers.values()) add(providerOfLocalName(module, block.localName), block.version);
  return requirements;
}

/** Parses the constraints again by the stricter grammar of provider versions. */
function constraintsOf({ comparisons, range }: VersionRequirement, report: Report): VersionConstraints {
  try {
    return parseConstraints(formatVersionRequirement(comparisons));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error.message.replace(/^.*? is not a version constraint: /s, "");
    reportError(report, "Invalid version constraint", `Incorrect version constraint syntax: ${reason}.`, range);
    return [];
  }
}

/** Reports import blocks whose provider configuration differs from that of their resource. */
function checkImportProviders({ imports, managedResources }: Configuration["module"], report: Report): void {
  for (const { resource, providerReference, providerRange } of imports) {
    if (resource === undefined || resource.module.length > 0 || providerReference === undefined) continue;
    const target = managedResources.get(formatResource(resource.resource));
    if (target === undefined) continue;
    const own = target.providerReference;
    const invalid = (detail: string, at: SourceRange | undefined): void =>
      reportError(report, "Invalid import provider argument", detail, at);
    if (own === undefined) {
      invalid("The provider argument in the target resource block must be specified and match the import block.", providerRange);
    } else if (own.localName !== providerReference.localName || own.alias !== providerReference.alias) {
      invalid("The provider argument in the target resource block must match the import block.", providerRange);
    }
  }
}
