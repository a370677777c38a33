// SPDX-License-Identifier: Apache-2.0
// Checks the instance keys of references to provider configurations.
import type { Expression, SourceRange } from "@tenon/hcl";
import { variables } from "@tenon/hcl/analysis";
import { formatInModulePath, formatModulePath } from "../address/module.ts";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import type { Configuration } from "./configuration.ts";
import type { ModuleProviders } from "./module-providers.ts";
import type { ProviderReference } from "./provider-reference.ts";
import { reportError, reportWarning, type Report } from "./report.ts";
import type { ResourceBlock } from "./resource.ts";
import { sameExpression } from "./same-expression.ts";

/** Checks the keys in the `providers` arguments of a module's calls. */
export function checkPassedKeys({ module, path }: Configuration, providers: ModuleProviders, report: Report): void {
  for (const call of module.calls.values()) {
    for (const { inChild, inParent } of call.providers) {
      if (inChild.key !== undefined) {
        const detail = "Instance keys are not allowed on the left side of a provider configuration assignment.";
        reportError(report, "Invalid module provider configuration", detail, inChild.key.range);
      }
      checkInstanceKey(inParent, "module", providers, report);
      if (inParent.key === undefined) continue;
      const forEach = providers.forEach.get(formatLocalProviderConfigCompact(inParent));
      warnOfSameForEach("module", formatModulePath([...path, call.name]), call.forEach, forEach, report);
    }
  }
}

/** Checks the key in the `provider` argument of a resource. */
export function checkResourceKey(resource: ResourceBlock, { path }: Configuration, providers: ModuleProviders, report: Report): void {
  const { providerReference, address, forEach } = resource;
  if (providerReference === undefined) return;
  checkInstanceKey(providerReference, "resource", providers, report);
  if (providerReference.key === undefined || address.mode !== "managed") return;
  const target = formatInModulePath(path, `${address.type}.${address.name}`);
  warnOfSameForEach("resource", target, forEach, providers.forEach.get(formatLocalProviderConfigCompact(providerReference)), report);
}

/** @see OpenTofu configs, ProviderConfigRef.InstanceValidation */
function checkInstanceKey(reference: ProviderReference, block: string, providers: ModuleProviders, report: Report): void {
  const { localName, alias, key, nameRange } = reference;
  const name = formatLocalProviderConfigCompact(reference);
  const isInstanced = providers.forEach.has(name);
  const invalid = (detail: string, range: SourceRange): void =>
    reportError(report, `Invalid ${block} provider configuration`, detail, range);
  if (key === undefined) {
    if (!isInstanced) return;
    invalid(
      "A reference to a provider configuration which uses for_each requires an instance key. Passing a collection of provider instances into a child module is not allowed.",
      nameRange,
    );
  } else if (alias === undefined) {
    invalid("An instance key can be specified only for a provider configuration which has an alias and uses for_each.", key.range);
  } else if (!isInstanced) {
    if (providers.configured.has(name)) {
      invalid("An instance key can be specified only for a provider configuration that uses for_each.", key.range);
    } else {
      invalid(
        `This module doesn't declare a provider "${localName}" block with alias = "${alias}", which is required for use with for_each.`,
        nameRange,
      );
    }
  }
}

/** @see OpenTofu configs, providerIterationIdenticalWarning */
function warnOfSameForEach(
  block: string,
  target: string,
  source: Expression | undefined,
  provider: Expression | undefined,
  report: Report,
): void {
  if (source === undefined || provider === undefined) return;
  if (variables(source).length === 0 || variables(provider).length === 0 || !sameExpression(source, provider)) return;
  const detail = `This provider configuration uses the same for_each expression as a ${block}, which means that subsequent removal of elements from this collection would cause a planning error.\n\nOpenTofu relies on a provider instance to destroy resource instances that are associated with it, and so the provider instance must outlive all of its resource instances by at least one plan/apply round. For removal of instances to succeed in future you must structure the configuration so that the provider block's for_each expression can produce a superset of the instances of the resources associated with the provider configuration. Refer to the OpenTofu documentation for specific suggestions.\n\nTo destroy this object before removing the provider configuration, consider first performing a targeted destroy:\n    tofu apply -destroy -target=${target}`;
  reportWarning(report, `Provider configuration for_each matches ${block}`, detail, source.range);
}
