// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import { asComponent, refuseDuplicates, type CompiledComponent } from "../schema/component.ts";

type Kind = CompiledComponent["kind"];
type OfKind<K extends Kind> = Extract<CompiledComponent, { readonly kind: K }>;

/** Every component of a provider, loaded: by kind, then by the name a configuration uses. */
export type Registry = { readonly [K in Kind]: ReadonlyMap<string, OfKind<K>> };

/**
 * Loads what is not loaded yet.
 *
 * @throws SdkError `LOAD_FAILED`, `INVALID_COMPONENT`, `INVALID_DEFINITION` for two of one kind and name.
 */
export async function loadRegistry(served: ServedProvider): Promise<Registry> {
  const components = await Promise.all(
    served["~components"].map(async (component, index) => {
      if (typeof component !== "function") return asComponent(component, `component ${index} of provider ${served.name}`);
      return asComponent(await loaded(component, index, served.name), `what component ${index} of provider ${served.name} loads`);
    }),
  );
  refuseDuplicates(components, served.name);
  refuseUnlisted(components, served.name);
  const ofKind = <K extends Kind>(kind: K): ReadonlyMap<string, OfKind<K>> =>
    new Map(
      components.filter((component): component is OfKind<K> => component.kind === kind).map((component) => [component.typeName, component]),
    );
  return {
    resource: ofKind("resource"),
    dataSource: ofKind("dataSource"),
    ephemeralResource: ofKind("ephemeralResource"),
    listResource: ofKind("listResource"),
    action: ofKind("action"),
    stateStore: ofKind("stateStore"),
    function: ofKind("function"),
  };
}

/** @throws SdkError `INVALID_DEFINITION` for a list of resources that the provider does not have. */
function refuseUnlisted(components: readonly CompiledComponent[], provider: string): void {
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
