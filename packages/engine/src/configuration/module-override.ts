// SPDX-License-Identifier: Apache-2.0
import { formatRange, type SourceRange } from "@tenon/hcl";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import type { ConfigurationFile } from "./configuration-file.ts";
import { overrideModuleCall } from "./module-call.ts";
import { withProvider, type ModuleDraft } from "./module.ts";
import { overrideOutput } from "./output.ts";
import { overrideProvider } from "./provider-block.ts";
import { reportError, type Report } from "./report.ts";
import { overrideResource, resourceKey } from "./resource.ts";
import { overrideVariable } from "./variable.ts";

/** Applies the blocks of an override file to those of the module. @see OpenTofu configs, Module.mergeFile */
export function overrideModule(draft: ModuleDraft, file: ConfigurationFile, report: Report): void {
  overrideSettings(draft, file, report);
  for (const provider of file.providers) {
    const key = formatLocalProviderConfigCompact(provider);
    const existing = draft.providers.get(key);
    if (existing !== undefined) draft.providers.set(key, overrideProvider(existing, provider));
    else if (provider.alias === undefined) draft.providers.set(key, provider);
    else {
      const detail = `There is no ${provider.localName} provider configuration with the alias "${provider.alias}". An override file can only override an aliased provider configuration that was already defined in a primary configuration file.`;
      reportError(report, "Missing base provider configuration for override", detail, provider.range);
    }
  }
  overrideNamed(draft.variables, file.variables, report, {
    keyOf: nameOf,
    merge: overrideVariable,
    missing: ({ name }) => [
      "Missing base variable declaration to override",
      `There is no variable named "${name}". An override file can only override a variable that was already declared in a primary configuration file.`,
    ],
  });
  overrideNamed(draft.locals, file.locals, report, {
    keyOf: nameOf,
    merge: (_, local) => local,
    missing: ({ name }) => [
      "Missing base local value definition to override",
      `There is no local value named "${name}". An override file can only override a local value that was already defined in a primary configuration file.`,
    ],
  });
  overrideNamed(draft.outputs, file.outputs, report, {
    keyOf: nameOf,
    merge: overrideOutput,
    missing: ({ name }) => [
      "Missing base output definition to override",
      `There is no output named "${name}". An override file can only override an output that was already defined in a primary configuration file.`,
    ],
  });
  overrideNamed(draft.calls, file.moduleCalls, report, {
    keyOf: nameOf,
    merge: overrideModuleCall,
    missing: ({ name }) => [
      "Missing module call to override",
      `There is no module call named "${name}". An override file can only override a module call that was defined in a primary configuration file.`,
    ],
  });
  for (const [into, added, noun, block] of [
    [draft.managedResources, file.managedResources, "resource", "a resource block"],
    [draft.dataResources, file.dataResources, "data resource", "a data block"],
    [draft.ephemeralResources, file.ephemeralResources, "ephemeral resource", "an ephemeral block"],
  ] as const) {
    overrideNamed(into, added, report, {
      keyOf: resourceKey,
      merge: (base, override, problems) => withProvider(draft, overrideResource(base, override, problems)),
      missing: ({ address: { type, name } }) => [
        `Missing ${noun} to override`,
        `There is no ${type} ${noun} named "${name}". An override file can only override ${block} defined in a primary configuration file.`,
      ],
    });
  }
  refuseAll(
    file.moved,
    "Cannot override 'moved' blocks",
    "Records of moved objects can appear only in normal files, not in override files.",
    report,
  );
  refuseAll(
    file.imports,
    "Cannot override 'import' blocks",
    "Import blocks can appear only in normal files, not in override files.",
    report,
  );
  refuseAll(
    file.removed,
    "Cannot override 'Removed' blocks",
    "Removed blocks can appear only in normal files, not in override files.",
    report,
  );
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function overrideSettings(draft: ModuleDraft, { backends, clouds, encryptions }: ConfigurationFile, report: Report): void {
  const [backend, secondBackend] = backends;
  if (secondBackend !== undefined) {
    const detail = `Each override file may have only one backend configuration. A backend was previously configured at ${formatRange(backend!.range)}.`;
    reportError(report, "Duplicate backend configuration", detail, secondBackend.range);
  } else if (backend !== undefined) {
    draft.cloud = undefined;
    draft.backend = backend;
  }
  const [cloud, secondCloud] = clouds;
  if (secondCloud !== undefined) {
    const detail = `A module may have only one 'cloud' block configuring a cloud backend. A cloud backend was previously configured at ${formatRange(cloud!.range)}.`;
    reportError(report, "Duplicate cloud configurations", detail, secondCloud.range);
  } else if (cloud !== undefined) {
    draft.backend = undefined;
    draft.cloud = cloud;
  }
  const [encryption, secondEncryption] = encryptions;
  if (secondEncryption !== undefined) {
    const detail = `Each override file may have only one encryption configuration. Encryption was previously configured at ${formatRange(encryption!.range)}.`;
    reportError(report, "Duplicate encryption configuration", detail, secondEncryption.range);
  } else if (encryption !== undefined) draft.encryption = encryption;
}

interface OverrideRules<T> {
  readonly keyOf: (one: T) => string;
  readonly merge: (base: T, override: T, report: Report) => T;
  /** Summary and detail of the error about a declaration without a base. */
  readonly missing: (override: T) => readonly [summary: string, detail: string];
}

/** Replaces the declarations that an override file changes. A declaration without a base is an error. */
function overrideNamed<T extends { readonly range: SourceRange }>(
  into: Map<string, T>,
  overrides: readonly T[],
  report: Report,
  { keyOf, merge, missing }: OverrideRules<T>,
): void {
  for (const override of overrides) {
    const key = keyOf(override);
    const base = into.get(key);
    if (base === undefined) reportError(report, ...missing(override), override.range);
    else into.set(key, merge(base, override, report));
  }
}

function refuseAll(blocks: readonly { readonly range: SourceRange }[], summary: string, detail: string, report: Report): void {
  for (const { range } of blocks) reportError(report, summary, detail, range);
}
