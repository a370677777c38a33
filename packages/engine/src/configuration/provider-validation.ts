// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import { formatRange, type SourceRange } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { formatModulePath } from "../address/module.ts";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import {
  defaultRegistryHost,
  formatProvider,
  formatProviderForDisplay,
  impliedProvider,
  isSameProvider,
  normalizeProviderPart,
  type ProviderAddress,
} from "../address/provider.ts";
import { formatResource, impliedProviderName } from "../address/resource.ts";
import type { Configuration } from "./configuration.ts";
import { formatModuleSource } from "./module-source.ts";
import type { ModuleCall } from "./module-call.ts";
import { providersOf, type ModuleProviders } from "./module-providers.ts";
import type { Module } from "./module.ts";
import { checkPassedKeys, checkResourceKey } from "./provider-key-validation.ts";
import type { PassedProvider } from "./provider-reference.ts";
import { reportError, reportWarning, type Report } from "./report.ts";
import type { ResourceBlock } from "./resource.ts";

/**
 * Checks that the calls in the tree pass each module the provider configurations that it requires, and no others.
 *
 * @see OpenTofu configs, validateProviderConfigs
 */
export function validateProviders(root: Configuration, report: Report): void {
  validateModule(root, undefined, undefined, report);
}

/**
 * Checks a module and the modules that it calls.
 *
 * @param call The call of the module; undefined for the root module.
 * @param unsupported The range of an argument of an outer call that modules with their own provider configurations do not support, if any.
 */
function validateModule(
  configuration: Configuration,
  call: ModuleCall | undefined,
  unsupported: SourceRange | undefined,
  report: Report,
): void {
  const { module, path } = configuration;
  for (const [name, child] of configuration.children) {
    const childCall = module.calls.get(name)!;
    const [dependency] = childCall.dependsOn ?? [];
    const argument = childCall.count ?? childCall.forEach ?? childCall.enabled;
    validateModule(child, childCall, argument?.range ?? (dependency && traversalRange(dependency)) ?? unsupported, report);
  }
  const providers = providersOf(module, call);
  checkRequiredProviders(module, report);
  const resources = [module.managedResources, module.dataResources, module.ephemeralResources].flatMap((some) => [...some.values()]);
  for (const resource of resources) checkImpliedName(resource, providers, report);
  checkPassedKeys(configuration, providers, report);
  for (const resource of resources) checkResourceKey(resource, configuration, providers, report);
  const texts = textsOf(configuration);
  checkPassedNames(configuration, call, providers, texts, report);
  if (path.length === 0 || call === undefined) return;

  if (providers.configured.size > 0 && unsupported !== undefined) {
    const detail = `The module at ${formatModulePath(path)} is a legacy module which contains its own local provider configurations, and so calls to it may not use the count, for_each, enabled or depends_on arguments.\n\nIf you also control the module ${goQuote(configuration.source ? formatModuleSource(configuration.source) : "")}, consider updating this module to instead expect provider configurations to be passed by its caller.`;
    reportError(report, "Module is incompatible with count, for_each, enabled and depends_on", detail, unsupported);
  }
  for (const name of providers.configured.keys()) {
    const passed = providers.passedIn.get(name);
    if (passed === undefined) continue;
    const detail = `The configuration of ${texts.module} has its own local configuration for ${name}, and so it cannot accept an overridden configuration provided by ${texts.parent}.`;
    reportError(report, "Cannot override provider configuration", detail, passed.inChild.nameRange);
  }
  for (const [name, provider] of providers.aliases) {
    if (providers.configured.has(name) || providers.passedIn.has(name)) continue;
    const detail = `The child module requires an additional configuration for provider ${formatProviderForDisplay(provider)}, with the local name "${name}".\n\nRefer to the module's documentation to understand the intended purpose of this additional provider configuration, and then add an entry for ${name} in the "providers" meta-argument in the module block to choose which provider configuration the module should use for that purpose.`;
    reportError(report, "Missing required provider configuration", detail, call.range);
  }
  for (const passed of providers.passedIn.values()) checkPassedType(passed, configuration, providers, texts, report);
  reportEmptyBlocks(providers, texts.module, report);
}

/** A module and its caller, as errors name them. */
interface ModuleTexts {
  readonly module: string;
  readonly parent: string;
}

function textsOf({ path }: Configuration): ModuleTexts {
  const name = (of: readonly string[]): string => (of.length === 0 ? "the root module" : formatModulePath(of));
  return { module: name(path), parent: name(path.slice(0, -1)) };
}

function isDefaultProvider({ hostname, namespace }: ProviderAddress): boolean {
  return hostname === defaultRegistryHost && namespace === "hashicorp";
}

function defaultProvider(localName: string): ProviderAddress {
  return { hostname: defaultRegistryHost, namespace: "hashicorp", type: localName };
}

/** Reports providers with two local names as warnings. */
function checkRequiredProviders({ requiredProviders, providers }: Module, report: Report): void {
  const earlier: { readonly localName: string; readonly provider: ProviderAddress }[] = [];
  for (const { localName, provider, range } of requiredProviders.values()) {
    const duplicate = (detail: string): void =>
      reportWarning(
        report,
        "Duplicate required provider",
        `Provider ${formatProviderForDisplay(provider)} with the local name "${localName}" ${detail}`,
        range,
      );
    const previous = earlier.findLast((one) => isSameProvider(one.provider, provider));
    if (previous !== undefined) {
      duplicate(`was previously required as "${previous.localName}". A provider can only be required once within required_providers.`);
    } else if (isDefaultProvider(provider) && localName !== provider.type) {
      if ([...providers.values()].some((block) => block.localName === provider.type)) {
        duplicate(
          `was implicitly required via a configuration block as "${provider.type}". The provider configuration block name must match the name used in required_providers.`,
        );
      }
    }
    earlier.push({ localName, provider });
  }
}

/** Reports resources whose type implies a provider that has another local name in the module, as warnings. */
function checkImpliedName({ address, providerReference, range }: ResourceBlock, { localNames }: ModuleProviders, report: Report): void {
  if (providerReference !== undefined) return;
  const implied = impliedProviderName(address.type);
  const normal = normalizeProviderPart(implied);
  if ("reason" in normal) {
    const detail = `${goQuote(implied)} is an invalid implied provider local name: ${normal.reason}`;
    reportError(report, "Invalid provider local name", detail, range);
    return;
  }
  if (localNames.has(implied)) return;
  const provider = impliedProvider(implied);
  for (const [other, otherProvider] of localNames) {
    if (!isSameProvider(otherProvider, provider)) continue;
    const detail = `Provider "${formatProvider(provider)}" was implicitly required via resource "${formatResource(address)}", but listed in required_providers as "${other}". Either the local name in required_providers must match the resource name, or the "${other}" provider must be assigned within the resource block.`;
    reportWarning(report, "Duplicate required provider", detail, range);
  }
}

/** Checks the default configurations that a module passes to called modules. */
function checkPassedNames(
  { module, path }: Configuration,
  call: ModuleCall | undefined,
  providers: ModuleProviders,
  texts: ModuleTexts,
  report: Report,
): void {
  for (const { inParent } of [...module.calls.values()].flatMap((own) => own.providers)) {
    if (inParent.alias !== undefined) continue;
    const name = inParent.localName;
    const display = formatProviderForDisplay(defaultProvider(name));
    const isConfigured = providers.configured.has(name);
    if (!isConfigured && !providers.localNames.has(name)) {
      const detail = `There is no explicit declaration for local provider name "${name}" in ${texts.module}, so OpenTofu is assuming you mean to pass a configuration for provider "${display}".\n\nTo clarify your intent and silence this warning, add to ${texts.parent} a required_providers entry named "${name}" with source = "${display}", or a different source address if appropriate.`;
      reportWarning(report, "Reference to undefined provider", detail, inParent.nameRange);
    } else if (path.length > 0 && !isConfigured && !providers.passedIn.has(name)) {
      const detail = `The configuration for ${texts.module} expects to inherit a configuration for provider ${display} with local name "${name}", but ${texts.parent} doesn't pass a configuration under that name.\n\nTo satisfy this requirement, add an entry for "${name}" to the "providers" argument in the module "${call?.name}" block.`;
      reportWarning(report, "Missing required provider configuration", detail, call?.range);
    }
  }
}

/** The provider of a local name in a module that declares it, in `required_providers` or by a provider block. @see OpenTofu configs, resolveProviderTypes */
function knownProvider({ requiredProviders, providers }: Module, localName: string): ProviderAddress | undefined {
  const required = requiredProviders.get(localName)?.provider;
  if (required !== undefined) return required;
  return [...providers.values()].some((block) => block.localName === localName) ? defaultProvider(localName) : undefined;
}

/** Checks that a configuration passed by the caller belongs to the provider that has this local name in the module. */
function checkPassedType(
  { inChild, inParent }: PassedProvider,
  { module, parent }: Configuration,
  providers: ModuleProviders,
  texts: ModuleTexts,
  report: Report,
): void {
  const name = formatLocalProviderConfigCompact(inChild);
  const inModule =
    providers.aliases.get(name) ??
    providers.localNames.get(name) ??
    knownProvider(module, inChild.localName) ??
    defaultProvider(inChild.localName);
  const display = formatProviderForDisplay(inModule);
  if (!providers.localNames.has(name) && !providers.aliases.has(name) && !providers.empty.has(name)) {
    const summary = "Reference to undefined provider";
    if (isDefaultProvider(inModule)) {
      const detail = `There is no explicit declaration for local provider name "${name}" in ${texts.module}, so OpenTofu is assuming you mean to pass a configuration for "${display}".\n\nIf you also control the child module, add a required_providers entry named "${name}" with the source address "${display}".`;
      reportWarning(report, summary, detail, inChild.nameRange);
    } else {
      const detail = `The child module does not declare any provider requirement with the local name "${name}".\n\nIf you also control the child module, you can add a required_providers entry named "${name}" with the source address "${display}" to accept this provider configuration.`;
      reportError(report, summary, detail, inChild.nameRange);
    }
  }
  const inCaller =
    parent!.module.requiredProviders.get(name)?.provider ??
    knownProvider(parent!.module, inParent.localName) ??
    defaultProvider(inParent.localName);
  if (isSameProvider(inModule, inCaller)) return;
  const callerDisplay = formatProviderForDisplay(inCaller);
  const other = [...providers.localNames].find(([, provider]) => isSameProvider(provider, inCaller))?.[0];
  const passed = formatLocalProviderConfigCompact(inParent);
  if (other === undefined) {
    const detail = `The local name "${passed}" in ${texts.parent} represents provider "${callerDisplay}", but "${name}" in ${texts.module} represents "${display}".\n\nEach provider has its own distinct configuration schema and provider types, so this module's "${name}" can be assigned only a configuration for ${display}, which is not required by ${texts.module}.`;
    reportError(report, "Provider type mismatch", detail, inParent.nameRange);
  } else {
    const detail = `The assigned configuration is for provider "${display}", but local name "${inChild.localName}" in ${texts.parent} represents "${callerDisplay}".\n\nTo pass this configuration to the child module, use the local name "${other}" instead.`;
    reportError(report, "Provider type mismatch", detail, inChild.nameRange);
  }
}

/** Reports provider blocks without arguments as deprecated, with one warning for each provider. */
function reportEmptyBlocks({ empty, localNames }: ModuleProviders, moduleText: string, report: Report): void {
  const byLocalName = Map.groupBy(empty, ([name]) => name.split(".", 1)[0]!);
  for (const [localName, blocks] of byLocalName) {
    const provider = blocks.map(([name]) => localNames.get(name)).find((found) => found !== undefined) ?? defaultProvider(localName);
    const names = blocks.map(([name]) => name).sort();
    const hasAliases = names.some((name) => name !== localName);
    const aliases = hasAliases ? `      configuration_aliases = [\n${names.map((name) => `        ${name},\n`).join("")}      ]\n` : "";
    const detail = `Earlier versions of OpenTofu used empty provider blocks ("proxy provider configurations") for child modules to declare their need to be passed a provider configuration by their callers. That approach was ambiguous and is now deprecated.\n\nIf you control this module, you can migrate to the new declaration syntax by removing all of the empty provider "${localName}" blocks and then adding or updating an entry like the following to the required_providers block of ${moduleText}:\n    ${localName} = {\n      source = "${formatProviderForDisplay(provider)}"\n${aliases}    }`;
    const [first] = blocks.map(([, range]) => range).sort((a, b) => (formatRange(a) < formatRange(b) ? -1 : 1));
    reportWarning(report, "Redundant empty provider block", detail, first);
  }
}
