// SPDX-License-Identifier: Apache-2.0
import { formatConstraints } from "@tenon/plugin-host/address";
import { formatModulePath } from "../address/module.ts";
import { formatProvider } from "../address/provider.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { providerOfLocalName } from "../configuration/module.ts";
import { shallowProviderRequirements } from "../configuration/provider-requirements.ts";
import type { JsonTree } from "../state/json-tree.ts";
import type { ConfigurationSchemas } from "./configuration-schemas.ts";
import { expressionsJson } from "./expression-json.ts";

/** An entry of `provider_config`. */
export interface ProviderConfigEntry {
  readonly json: { readonly full_name: string } & Readonly<Record<string, JsonTree>>;
  /** The key of the configuration that the module's caller passes for this one. */
  readonly source?: string;
}

/** The key of a provider configuration of a module. */
export function providerConfigKey(name: string, { path }: Pick<Configuration, "path">): string {
  return path.length === 0 ? name : `${formatModulePath(path)}:${name}`;
}

/**
 * The provider configurations of a module and of the modules that it calls, by key. An entry for a configuration that a caller passes has the
 * key of the passed configuration as `source`.
 *
 * @see OpenTofu jsonconfig, marshalProviderConfigs
 */
export function providerConfigEntries(
  configuration: Configuration,
  schemas: ConfigurationSchemas,
  entries: Map<string, ProviderConfigEntry> = new Map(),
): ReadonlyMap<string, ProviderConfigEntry> {
  const { module, parent, path } = configuration;
  const requirements = shallowProviderRequirements(configuration);
  const place: Readonly<Record<string, JsonTree>> = path.length === 0 ? {} : { module_address: formatModulePath(path) };
  const constraintOf = (fullName: string): Readonly<Record<string, JsonTree>> => {
    const text = formatConstraints(requirements.get(fullName)?.constraints ?? []);
    return text === "" ? {} : { version_constraint: text };
  };
  const source = (name: string, fullName: string): { readonly source?: string } => {
    const key = parent && sourceKey(providerConfigKey(name, parent), fullName, entries);
    return key === undefined ? {} : { source: key };
  };

  for (const [name, block] of module.providers) {
    const provider = providerOfLocalName(module, block.localName);
    const fullName = formatProvider(provider);
    const schema = schemas.configuration(provider);
    const expressions = schema === undefined ? {} : expressionsJson(block.config, schema);
    entries.set(providerConfigKey(name, configuration), {
      json: {
        name: block.localName,
        full_name: fullName,
        ...(block.alias !== undefined && { alias: block.alias }),
        ...constraintOf(fullName),
        ...place,
        ...(Object.keys(expressions).length > 0 && { expressions }),
      },
    });
  }
  const addImplied = (name: string, shown: string, fullName: string, own: { readonly source?: string }): void => {
    const key = providerConfigKey(name, configuration);
    if (entries.has(key)) return;
    entries.set(key, { json: { name: shown, full_name: fullName, ...constraintOf(fullName), ...place }, ...own });
  };
  for (const [name, { localName, provider, aliases }] of module.requiredProviders) {
    const fullName = formatProvider(provider);
    for (const { localName: of, alias } of aliases) addImplied(alias === undefined ? of : `${of}.${alias}`, localName, fullName, {});
    addImplied(name, localName, fullName, source(localName, fullName));
  }
  for (const [fullName, { provider }] of requirements) addImplied(provider.type, provider.type, fullName, source(provider.type, fullName));

  for (const [name, call] of module.calls) {
    const child = configuration.children.get(name);
    if (child === undefined) continue;
    for (const { inChild, inParent } of call.providers) {
      const fullName = formatProvider(providerOfLocalName(child.module, inChild.localName));
      const key = sourceKey(providerConfigKey(configName(inParent), configuration), fullName, entries);
      entries.set(providerConfigKey(configName(inChild), child), {
        json: { name: configName(inChild), full_name: fullName, module_address: formatModulePath(child.path) },
        ...(key !== undefined && { source: key }),
      });
    }
    providerConfigEntries(child, schemas, entries);
  }
  return entries;
}

function configName({ localName, alias }: { readonly localName: string; readonly alias?: string }): string {
  return alias === undefined ? localName : `${localName}.${alias}`;
}

/** Follows a passed configuration from caller to caller. Returns the key of the configuration that is not passed itself. */
function sourceKey(start: string, fullName: string, entries: ReadonlyMap<string, ProviderConfigEntry>): string | undefined {
  let last: string | undefined;
  for (let key: string | undefined = start; key !== undefined;) {
    const entry = entries.get(key);
    if (entry?.json.full_name !== fullName) break;
    last = key;
    key = entry.source;
  }
  return last;
}
