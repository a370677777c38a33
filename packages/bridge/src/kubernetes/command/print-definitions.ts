// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { openSelectedProvider } from "../../provider/open-selected-provider.ts";
import { BridgeError } from "../../error.ts";
import { componentFilter } from "../../provider/provider-selection.ts";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { customResourceDefinition } from "../crd/definition.ts";
import { providerConfigDefinitions } from "../crd/provider-config-definition.ts";
import { manifestText } from "../crd/manifest-text.ts";
import { mapKinds } from "../mapping/map-kinds.ts";
import { mapProviderConfig } from "../mapping/map-provider-config.ts";
import { readResourceRules } from "../mapping/read-resource-rules.ts";
import type { ResourceRules } from "../mapping/resource-rules.ts";
import { typeDeclarations } from "../types/type-declarations.ts";
import type { PrintOptions } from "./definition-options.ts";

/** Where {@link printedDefinitions} writes what it has to say. */
export interface PrintSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives texts about the installation of the provider. */
  readonly onProgress: (message: string) => void;
}

/** Opens a provider, and returns the definitions of its configurations and resource types as YAML, or their TypeScript types. */
export async function printedDefinitions(options: PrintOptions, settings: PrintSettings): Promise<string> {
  const rules = options.rules === undefined ? {} : await rulesOf(options.rules);
  const { provider, address } = await openSelectedProvider(options.selection, {
    ...settings,
    onLog: () => undefined,
    logLevel: "error",
    stopGraceMs: 1000,
  });
  try {
    const source = await providerSchemas(provider, address);
    const resources = [...source.schemas.resources.keys()].filter(componentFilter(options.selection));
    const unknown = options.selection.includes.filter((name) => !source.schemas.resources.has(name));
    if (unknown.length > 0) throw new BridgeError("INVALID_ARGUMENTS", `${address} has no resource type ${unknown.join(", ")}`);
    const { group, scope, version, categories } = options;
    const kinds = mapKinds(source, { group, scope, resources, rules });
    const config = mapProviderConfig(source.schemas.provider, { group, scope });
    if (options.format === "typescript") return typeDeclarations(kinds, { version, config });
    const ofConfig = providerConfigDefinitions(config, { version });
    return manifestText([...ofConfig, ...kinds.map((kind) => customResourceDefinition(kind, { version, categories }))]);
  } finally {
    await provider.close();
  }
}

async function rulesOf(path: string): Promise<Readonly<Record<string, ResourceRules>>> {
  let data: unknown;
  try {
    data = parse(await readFile(path, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BridgeError("INVALID_ARGUMENTS", `the file of rules ${path} cannot be read: ${reason}`, { cause });
  }
  return readResourceRules(data);
}
