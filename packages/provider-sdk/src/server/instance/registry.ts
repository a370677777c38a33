// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ServedProvider } from "../../definition/provider.ts";
import { SdkError } from "../../error.ts";
import { manifestEntry, type ComponentHeader } from "../../manifest/component-manifest.ts";
import { isManifestLoader, type ManifestLoader } from "../../manifest/lazy-components.ts";
import { compiledParts } from "../../compile/served-provider.ts";
import { asComponent, refuseDuplicates, type CompiledComponent } from "../../compile/any-component.ts";

type Kind = CompiledComponent["kind"];
type OfKind<K extends Kind> = Extract<CompiledComponent, { readonly kind: K }>;
type HeaderOfKind<K extends Kind> = Extract<ComponentHeader, { readonly kind: K }>;

/** All components of a provider, loaded: by kind, then by the name that a configuration uses. */
export type Registry = { readonly [K in Kind]: ReadonlyMap<string, OfKind<K>> };

/** All components of a provider. Some have only their header from a manifest: their code is loaded when they are first used. */
export type PartialRegistry = { readonly [K in Kind]: Map<string, OfKind<K> | (HeaderOfKind<K> & Unloaded)> };

/** A component whose code is not loaded yet. */
export interface Unloaded {
  readonly load: () => Promise<CompiledComponent>;
}

/** Whether the component's code is loaded. */
export function isLoaded<K extends Kind>(component: OfKind<K> | (HeaderOfKind<K> & Unloaded)): component is OfKind<K> {
  return !("load" in component);
}

/**
 * Loads every component.
 *
 * @throws SdkError `LOAD_FAILED`, `INVALID_COMPONENT`; `INVALID_DEFINITION` for two components of one kind with the same name.
 */
export async function loadRegistry(served: ServedProvider): Promise<Registry> {
  const registry = await loadPartly(served);
  for (const components of Object.values(registry)) {
    for (const [typeName, component] of components) {
      if ("load" in component) (components as Map<string, CompiledComponent>).set(typeName, await component.load());
    }
  }
  return registry as Registry;
}

/**
 * Loads every component except those that a manifest describes.
 *
 * @throws SdkError As {@link loadRegistry}.
 */
export async function loadPartly(served: ServedProvider): Promise<PartialRegistry> {
  const parts = await Promise.all(
    compiledParts(served)["~components"].map(async (component, index) => {
      const where = `component ${index} of provider ${served.name}`;
      if (typeof component !== "function") return [asComponent(component, served.name, where)];
      const load = async (): Promise<unknown> => importComponent(component, index, served.name);
      if (isManifestLoader(component)) {
        const one = async (): Promise<CompiledComponent> =>
          requireManifestMatch(asComponent(await load(), served.name, `the module of ${where}`), component);
        return [Object.assign({ load: one }, component["~header"]())];
      }
      const found = await load();
      return (Array.isArray(found) ? (found as readonly unknown[]) : [found]).map((one) =>
        asComponent(one, served.name, `the module of ${where}`),
      );
    }),
  );
  const components = parts.flat();
  refuseDuplicates(components, served.name);
  requireListedResources(components, served.name);
  const kinds: readonly Kind[] = ["resource", "dataSource", "ephemeralResource", "listResource", "action", "stateStore", "function"];
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map(components.filter((component) => component.kind === kind).map((component) => [component.typeName, component])),
    ]),
  ) as unknown as PartialRegistry;
}

/**
 * Returns the component if it matches its manifest entry, whose schema the cores have received.
 *
 * @throws SdkError `LOAD_FAILED`.
 */
function requireManifestMatch(component: CompiledComponent, { "~entry": entry, "~header": header }: ManifestLoader): CompiledComponent {
  if (isDeepStrictEqual(manifestEntry(component), entry)) return component;
  throw new SdkError("LOAD_FAILED", `${header().typeName} differs from its entry in the manifest: run tenon-collect-components again`);
}

/** Requires that the provider has the resource of every list resource. @throws SdkError `INVALID_DEFINITION`. */
function requireListedResources(components: readonly { readonly kind: Kind; readonly name: string }[], provider: string): void {
  const resources = new Set(components.filter(({ kind }) => kind === "resource").map(({ name }) => name));
  for (const { kind, name } of components) {
    if (kind !== "listResource" || resources.has(name)) continue;
    throw new SdkError(
      "INVALID_DEFINITION",
      `provider ${provider}: the resource ${name} has a list resource, but is not passed to with() itself`,
    );
  }
}

async function importComponent(load: () => Promise<unknown>, index: number, provider: string): Promise<unknown> {
  try {
    return await load();
  } catch (cause) {
    // The error of an invalid definition already names its provider, component and attribute.
    if (cause instanceof SdkError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SdkError("LOAD_FAILED", `component ${index} of provider ${provider} cannot be loaded: ${why}`, { cause });
  }
}
