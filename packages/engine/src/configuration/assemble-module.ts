// SPDX-License-Identifier: Apache-2.0
import { formatRange } from "@tenon/hcl";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import { formatProvider } from "../address/provider.ts";
import { formatResourceInstance, impliedProviderName, isSameResourceInstance } from "../address/resource.ts";
import type { ConfigurationFile } from "./configuration-file.ts";
import type { ImportBlock } from "./import-block.ts";
import { overrideModule } from "./module-override.ts";
import { impliedProviderIn, providerOfLocalName, withProvider, type Module, type ModuleDraft } from "./module.ts";
import { reportError, type Report } from "./report.ts";
import type { RequiredProviders } from "./required-providers.ts";
import { resourceKey, type ResourceBlock } from "./resource.ts";

/**
 * Assembles a module from its files: first the blocks of the primary files, then the changes of the override files.
 *
 * @see OpenTofu configs, NewModuleUneval
 */
export function assembleModule(
  folder: string,
  primary: readonly ConfigurationFile[],
  override: readonly ConfigurationFile[],
  report: Report,
): Module {
  const draft: ModuleDraft = {
    folder,
    providers: new Map(),
    requiredProviders: new Map(),
    providerMetas: new Map(),
    variables: new Map(),
    locals: new Map(),
    outputs: new Map(),
    calls: new Map(),
    managedResources: new Map(),
    dataResources: new Map(),
    ephemeralResources: new Map(),
    moved: [],
    imports: [],
    removed: [],
    checks: new Map(),
  };
  addRequiredProviders(draft, primary, override, report);
  for (const file of primary) addFile(draft, file, report);
  for (const file of override) overrideModule(draft, file, report);
  return draft as Module;
}

function addRequiredProviders(
  draft: ModuleDraft,
  primary: readonly ConfigurationFile[],
  override: readonly ConfigurationFile[],
  report: Report,
): void {
  let first: RequiredProviders | undefined;
  for (const block of primary.flatMap(({ requiredProviders }) => requiredProviders)) {
    if (first === undefined) {
      first = block;
      for (const [name, entry] of block.entries) draft.requiredProviders.set(name, entry);
      continue;
    }
    const detail = `A module may have only one required providers configuration. The required providers were previously configured at ${formatRange(first.range!)}.`;
    reportError(report, "Duplicate required providers configuration", detail, block.range);
  }
  for (const { entries } of override.flatMap(({ requiredProviders }) => requiredProviders)) {
    for (const [name, entry] of entries) draft.requiredProviders.set(name, entry);
  }
}

/** Adds the blocks of a primary file. Duplicate names are errors. @see OpenTofu configs, Module.appendFile */
function addFile(draft: ModuleDraft, file: ConfigurationFile, report: Report): void {
  addSettings(draft, file, report);
  for (const provider of file.providers) {
    const key = formatLocalProviderConfigCompact(provider);
    const existing = draft.providers.get(key);
    if (existing === undefined) {
      draft.providers.set(key, provider);
      continue;
    }
    const at = formatRange(existing.range);
    const detail =
      existing.alias === undefined
        ? `A default (non-aliased) provider configuration for "${existing.localName}" was already given at ${at}. If multiple configurations are required, set the "alias" argument for alternative configurations.`
        : `A provider configuration for "${existing.localName}" with alias "${existing.alias}" was already given at ${at}. Each configuration for the same provider must have a distinct alias.`;
    reportError(report, "Duplicate provider configuration", detail, provider.range);
  }
  for (const meta of file.providerMetas) {
    const key = formatProvider(providerOfLocalName(draft, meta.localName));
    const existing = draft.providerMetas.get(key);
    if (existing !== undefined) {
      const detail = `A provider_meta block for provider "${existing.localName}" was already declared at ${formatRange(existing.range)}. Providers may only have one provider_meta block per module.`;
      reportError(report, "Duplicate provider_meta block", detail, meta.range);
    }
    draft.providerMetas.set(key, meta);
  }
  for (const encryption of file.encryptions) {
    if (draft.encryption === undefined) draft.encryption = encryption;
    else {
      const detail = `A module may have only one encryption configuration. Encryption was previously configured at ${formatRange(draft.encryption.range)}.`;
      reportError(report, "Duplicate encryption configuration", detail, encryption.range);
    }
  }
  addNamed(draft.variables, file.variables, report, ({ name }, at) => [
    "Duplicate variable declaration",
    `A variable named "${name}" was already declared at ${at}. Variable names must be unique within a module.`,
  ]);
  addNamed(draft.locals, file.locals, report, ({ name }, at) => [
    "Duplicate local value definition",
    `A local value named "${name}" was already defined at ${at}. Local value names must be unique within a module.`,
  ]);
  addNamed(draft.outputs, file.outputs, report, ({ name }, at) => [
    "Duplicate output definition",
    `An output named "${name}" was already defined at ${at}. Output names must be unique within a module.`,
  ]);
  addNamed(draft.calls, file.moduleCalls, report, ({ name }, at) => [
    "Duplicate module call",
    `A module call named "${name}" was already defined at ${at}. Module calls must have unique names within a module.`,
  ]);
  addResources(draft, file, report);
  addChecks(draft, file, report);
  draft.moved.push(...file.moved);
  for (const block of file.imports) addImport(draft, block, report);
  draft.removed.push(...file.removed);
}

function addSettings(draft: ModuleDraft, file: ConfigurationFile, report: Report): void {
  for (const backend of file.backends) {
    if (draft.backend === undefined) draft.backend = backend;
    else {
      const detail = `A module may have only one backend configuration. The backend was previously configured at ${formatRange(draft.backend.range)}.`;
      reportError(report, "Duplicate backend configuration", detail, backend.range);
    }
  }
  for (const cloud of file.clouds) {
    if (draft.cloud === undefined) draft.cloud = cloud;
    else {
      const detail = `A module may have only one 'cloud' block configuring a cloud backend. A cloud backend was previously configured at ${formatRange(draft.cloud.range)}.`;
      reportError(report, "Duplicate cloud configurations", detail, cloud.range);
    }
  }
  if (draft.backend === undefined || draft.cloud === undefined) return;
  const [cloud, backend] = [formatRange(draft.cloud.range), formatRange(draft.backend.range)];
  const detail = `A module may declare either one 'cloud' block configuring a cloud backend OR one 'backend' block configuring a state backend. A cloud backend is configured at ${cloud}; a backend is configured at ${backend}. Remove the backend block to configure a cloud backend.`;
  reportError(report, "Both a backend and a cloud configuration are present", detail, draft.backend.range);
}

interface Named {
  readonly name: string;
  readonly range: ResourceBlock["range"];
}

/** Adds declarations by name. A duplicate name is an error; the later declaration replaces the earlier one. */
function addNamed<T extends Named>(
  into: Map<string, T>,
  added: readonly T[],
  report: Report,
  words: (existing: T, at: string) => readonly [summary: string, detail: string],
): void {
  for (const one of added) {
    const existing = into.get(one.name);
    if (existing !== undefined) reportError(report, ...words(existing, formatRange(existing.range)), one.range);
    into.set(one.name, one);
  }
}

function addResources(draft: ModuleDraft, file: ConfigurationFile, report: Report): void {
  for (const [into, added, summaryNoun, detailNoun] of [
    [draft.managedResources, file.managedResources, "resource", "resource"],
    [draft.dataResources, file.dataResources, "data", "data resource"],
    [draft.ephemeralResources, file.ephemeralResources, "ephemeral resource", "ephemeral resource"],
  ] as const) {
    for (const resource of added) {
      const key = resourceKey(resource);
      const existing = into.get(key);
      if (existing === undefined) {
        into.set(key, withProvider(draft, resource));
        continue;
      }
      const { type, name } = existing.address;
      const detail = `A ${type} ${detailNoun} named "${name}" was already declared at ${formatRange(existing.range)}. Resource names must be unique per type in each module.`;
      reportError(report, `Duplicate ${summaryNoun} "${type}" configuration`, detail, resource.range);
    }
  }
}

function addChecks(draft: ModuleDraft, file: ConfigurationFile, report: Report): void {
  for (const check of file.checks) {
    if (check.data !== undefined) {
      const key = resourceKey(check.data);
      const existing = draft.dataResources.get(key);
      if (existing !== undefined) {
        const { type, name } = existing.address;
        const detail = `A ${type} data resource named "${name}" was already declared at ${formatRange(existing.range)}. Resource names must be unique per type in each module, including within check blocks.`;
        reportError(report, `Duplicate data "${type}" configuration`, detail, check.data.range);
        continue;
      }
      draft.dataResources.set(key, withProvider(draft, check.data));
    }
    const existing = draft.checks.get(check.name);
    if (existing === undefined) draft.checks.set(check.name, check);
    else {
      const detail = `A check block named "${existing.name}" was already declared at ${formatRange(existing.range)}. Check blocks must be unique within each module.`;
      reportError(report, `Duplicate check "${existing.name}" configuration`, detail, check.range);
    }
  }
}

function addImport(draft: ModuleDraft, block: ImportBlock, report: Report): void {
  const { instance } = block;
  for (const earlier of instance === undefined ? [] : draft.imports) {
    if (earlier.instance === undefined || !isSameResourceInstance(earlier.instance, instance!)) continue;
    const text = formatResourceInstance(instance!);
    const detail = `An import block for the resource "${text}" was already declared at ${formatRange(earlier.range)}. A resource can have only one import block.`;
    reportError(report, `Duplicate import configuration for "${text}"`, detail, block.range);
  }
  const resource = block.resource?.resource;
  const provider = block.providerReference
    ? providerOfLocalName(draft, block.providerReference.localName)
    : resource && impliedProviderIn(draft, impliedProviderName(resource.type));
  draft.imports.push({ ...block, ...(provider && { provider }) });
}
