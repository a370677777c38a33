// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatProvider } from "@tenon/engine/address";
import { providerRequirements, type Configuration } from "@tenon/engine/configuration";
import { tfcoremock } from "@tenon/example-tfcoremock";
import { providerFactory } from "@tenon/plugin-host";
import { formatConstraints } from "@tenon/plugin-host/address";
import { createProvider, type ServedProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import type { StepProvider } from "./step-file.ts";

/** Makes the factory of a provider. Relative paths begin in `folder`. */
export async function stepProviderFactory(provider: StepProvider, folder: string): Promise<ProviderFactory> {
  if (typeof provider === "string") return providerFactory(located(provider, folder));
  if (!("module" in provider)) {
    const [file, ...args] = provider;
    return providerFactory([located(file, folder), ...args]);
  }
  const { module, export: name = "provider" } = provider;
  const exported = ((await import(pathToFileURL(resolve(folder, module)).href)) as Readonly<Record<string, unknown>>)[name];
  if (exported === undefined) throw new RangeError(`${module} has no export ${name}`);
  return async () => createProvider(typeof exported === "function" ? (exported as () => ServedProvider)() : (exported as ServedProvider));
}

/** Factories by source address, as the caller wrote it. */
export type GivenProviders = ReadonlyMap<string, ProviderFactory>;

/** The given providers, the examples of the repository, and one that is installed for each further one that the configuration requires. */
export function allProviders(given: GivenProviders, configuration: Configuration | undefined): Readonly<Record<string, ProviderFactory>> {
  const providers = new Map([...examples, ...given].map(([address, factory]) => [fullAddress(address), factory]));
  if (configuration !== undefined) {
    for (const [address, { provider, constraints }] of providerRequirements(configuration).requirements) {
      if (providers.has(address) || provider.namespace === "builtin") continue;
      const version = formatConstraints(constraints);
      providers.set(formatProvider(provider), providerFactory(address, version === "" ? {} : { version }));
    }
  }
  return Object.fromEntries(providers);
}

/** The example with the name of a published provider. It reads its dynamic resources from the current folder. */
const examples: GivenProviders = new Map([["hashicorp/tfcoremock", async () => createProvider(tfcoremock())]]);

function fullAddress(address: string): string {
  return address.split("/").length === 2 ? `registry.opentofu.org/${address}` : address;
}

/** A path that begins with a dot is relative to the folder; an address, an absolute path or a name on PATH stays as it is. */
function located(source: string, folder: string): string {
  return source.startsWith(".") ? resolve(folder, source) : source;
}
