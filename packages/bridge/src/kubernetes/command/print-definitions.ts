// SPDX-License-Identifier: Apache-2.0
import { openSelectedProvider } from "../../provider/open-selected-provider.ts";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { customResourceDefinition } from "../crd/definition.ts";
import { providerConfigDefinitions } from "../crd/provider-config-definition.ts";
import { manifestText } from "../crd/manifest-text.ts";
import { mapComponents } from "../mapping/map-components.ts";
import { mapKinds } from "../mapping/map-kinds.ts";
import { mapProviderConfig } from "../mapping/map-provider-config.ts";
import { typeDeclarations } from "../types/type-declarations.ts";
import type { PrintOptions } from "./definition-options.ts";
import { readRulesFile } from "./kind-flags.ts";
import { selectedComponents, selectedResources } from "./selected-resources.ts";

/** Environment and listeners of {@link printedDefinitions}. */
export interface PrintSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives messages about the progress of the installation. */
  readonly onProgress: (message: string) => void;
}

/** Opens a provider, and returns the definitions of its configurations, resource types and chosen components as YAML, or their TypeScript types. */
export async function printedDefinitions(options: PrintOptions, settings: PrintSettings): Promise<string> {
  const rules = await readRulesFile(options.rules);
  const { provider, address } = await openSelectedProvider(options.selection, {
    ...settings,
    onLog: () => undefined,
    logLevel: "error",
    stopGraceMs: 1000,
  });
  try {
    const source = await providerSchemas(provider, address);
    const resources = selectedResources(source.schemas.resources.keys(), options.selection, address);
    const { group, scope, version, categories } = options;
    const kinds = [
      ...mapKinds(source, { group, scope, resources, rules }),
      ...mapComponents(source, { group, scope, rules, ...selectedComponents(source.schemas, options.components) }),
    ];
    const config = mapProviderConfig(source.schemas.provider, { group, scope, rules });
    if (options.format === "typescript") return typeDeclarations(kinds, { version, config });
    const ofConfig = providerConfigDefinitions(config, { version });
    return manifestText([...ofConfig, ...kinds.map((kind) => customResourceDefinition(kind, { version, categories }))]);
  } finally {
    await provider.close();
  }
}
