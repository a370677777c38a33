// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ServedProvider } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import { manifestEntry, type ComponentSurface } from "../manifest/component-manifest.ts";
import { isSurfaced, type SurfacedLoader } from "../manifest/lazy-components.ts";
import { asComponent, refuseDuplicates, type CompiledComponent } from "../schema/component.ts";

type Kind = CompiledComponent["kind"];
type OfKind<K extends Kind> = Extract<CompiledComponent, { readonly kind: K }>;
type SurfaceOfKind<K extends Kind> = Extract<ComponentSurface, { readonly kind: K }>;

/** Every component of a provider, loaded: by kind, then by the name a configuration uses. */
export type Registry = { readonly [K in Kind]: ReadonlyMap<string, OfKind<K>> };

/** The same, where some are known by a manifest only: their code is loaded when they are used. */
export type PartialRegistry = { readonly [K in Kind]: Map<string, OfKind<K> | (SurfaceOfKind<K> & Unloaded)> };

/** A component whose code is not loaded yet. */
export interface Unloaded {
  readonly load: () => Promise<CompiledComponent>;
}

/** Whether its code is there. */
export function isLoaded<K extends Kind>(component: OfKind<K> | (SurfaceOfKind<K> & Unloaded)): component is OfKind<K> {
  return !("load" in component);
}

/**
 * Loads every component.
 *
 * @throws SdkError `LOAD_FAILED`, `INVALID_COMPONENT`, `INVALID_DEFINITION` for two of one kind and name.
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
 * Loads what is not loaded yet, but for what a manifest tells of.
 *
 * @throws SdkError As {@link loadRegistry}.
 */
export async function loadPartly(served: ServedProvider): Promise<PartialRegistry> {
  const parts = await Promise.all(
    served["~components"].map(async (component, index) => {
      const where = `component ${index} of provider ${served.name}`;
      if (typeof component !== "function") return [asComponent(component, where)];
      const load = async (): Promise<unknown> => loaded(component, index, served.name);
      if (isSurfaced(component)) {
        const one = async (): Promise<CompiledComponent> => asTold(asComponent(await load(), `what ${where} loads`), component);
        return [Object.assign({ load: one }, component["~surface"]())];
      }
      const found = await load();
      return (Array.isArray(found) ? (found as readonly unknown[]) : [found]).map((one) => asComponent(one, `what ${where} loads`));
    }),
  );
  const components = parts.flat();
  refuseDuplicates(components, served.name);
  refuseUnlisted(components, served.name);
  const kinds: readonly Kind[] = ["resource", "dataSource", "ephemeralResource", "listResource", "action", "stateStore", "function"];
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map(components.filter((component) => component.kind === kind).map((component) => [component.typeName, component])),
    ]),
  ) as unknown as PartialRegistry;
}

/** The component, if it is what its manifest says: the cores have been told of that. @throws SdkError `LOAD_FAILED`. */
function asTold(component: CompiledComponent, { "~entry": entry, "~surface": surface }: SurfacedLoader): CompiledComponent {
  if (isDeepStrictEqual(manifestEntry(component), entry)) return component;
  throw new SdkError(
    "LOAD_FAILED",
    `${surface().typeName} is not what the manifest says of it: it has changed since, so write the manifest anew with tenon-collect-components`,
  );
}

/** @throws SdkError `INVALID_DEFINITION` for a list of resources that the provider does not have. */
function refuseUnlisted(components: readonly { readonly kind: Kind; readonly name: string }[], provider: string): void {
  const resources = new Set(components.filter(({ kind }) => kind === "resource").map(({ name }) => name));
  for (const { kind, name } of components) {
    if (kind !== "listResource" || resources.has(name)) continue;
    throw new SdkError("INVALID_DEFINITION", `provider ${provider}: it lists resources ${name}, which are not handed to with() themselves`);
  }
}

async function loaded(load: () => Promise<unknown>, index: number, provider: string): Promise<unknown> {
  try {
    return await load();
  } catch (cause) {
    // What is wrong with a definition says itself where it is.
    if (cause instanceof SdkError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SdkError("LOAD_FAILED", `component ${index} of provider ${provider} cannot be loaded: ${why}`, { cause });
  }
}
