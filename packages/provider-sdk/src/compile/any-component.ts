// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import { compileAction, type CompiledAction } from "./action.ts";
import { compileDataSource, type CompiledDataSource } from "./data-source.ts";
import { compileEphemeralResource, type CompiledEphemeralResource } from "./ephemeral-resource.ts";
import { compileFunction, type CompiledFunction } from "./function.ts";
import { compileListResource, type CompiledListResource } from "./list-resource.ts";
import type { CompiledProvider } from "./provider.ts";
import { compileResource, type CompiledResource } from "./resource.ts";
import { compileStateStore, type CompiledStateStore } from "./state-store.ts";

/** Any component, checked. */
export type CompiledComponent =
  | CompiledResource
  | CompiledDataSource
  | CompiledEphemeralResource
  | CompiledListResource
  | CompiledAction
  | CompiledStateStore
  | CompiledFunction;

/**
 * The compile function of each kind of component. A new kind needs a line here and in `server/instance/registry.ts`, and RPCs in
 * `server/rpcs.ts`.
 */
const kinds = {
  resource: compileResource,
  dataSource: compileDataSource,
  ephemeralResource: compileEphemeralResource,
  listResource: compileListResource,
  action: compileAction,
  stateStore: compileStateStore,
  function: compileFunction,
} satisfies {
  readonly [K in CompiledComponent["kind"]]: (provider: CompiledProvider, name: string, written: never) => CompiledComponent & { kind: K };
};

const brand: unique symbol = Symbol.for("@tenon/provider-sdk/component/2") as never;

/**
 * Checks and compiles a component.
 *
 * @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`.
 */
export function createComponent(
  provider: CompiledProvider,
  kind: CompiledComponent["kind"],
  name: string,
  written: object,
): CompiledComponent {
  const component = kinds[kind](provider, name, written as never);
  Object.defineProperty(component, brand, { value: provider.name });
  return component;
}

/** Returns the candidate if it is a component, otherwise undefined. */
export function componentIn(candidate: unknown): CompiledComponent | undefined {
  return typeof candidate === "object" && candidate !== null && brand in candidate ? (candidate as object as CompiledComponent) : undefined;
}

/**
 * Returns a component, after checking that it belongs to the provider. The candidate is the component, or a module whose default export is
 * one.
 *
 * @param where subject of the error messages.
 * @throws SdkError `INVALID_COMPONENT`.
 */
export function asComponent(candidate: unknown, provider: string, where: string): CompiledComponent {
  const found =
    typeof candidate === "object" && candidate !== null && "default" in candidate && !(brand in candidate) ? candidate.default : candidate;
  const component = componentIn(found);
  if (component === undefined) {
    const what =
      found === undefined || found === null
        ? `${found}: its module may not export it, or may be part of a circular import`
        : "not a component";
    throw new SdkError(
      "INVALID_COMPONENT",
      `${where} is ${what}; pass the result of resource(), dataSource() or another method of the definition, or a module with it as its default export`,
    );
  }
  const { [brand]: owner } = component as unknown as { readonly [brand]: unknown };
  if (owner === provider) return component;
  throw new SdkError(
    "INVALID_COMPONENT",
    `${where} is ${component.typeName} of provider ${String(owner)}: define it with the provider that it is passed to`,
  );
}

const words: Readonly<Record<CompiledComponent["kind"], string>> = {
  resource: "resources",
  dataSource: "data sources",
  ephemeralResource: "ephemeral resources",
  listResource: "list resources",
  action: "actions",
  stateStore: "state stores",
  function: "functions",
};

/** Rejects two components with the same kind and name. @throws SdkError `INVALID_DEFINITION`. */
export function refuseDuplicates(
  components: readonly { readonly kind: CompiledComponent["kind"]; readonly name: string }[],
  provider: string,
): void {
  const known = new Set<string>();
  for (const { kind, name } of components) {
    const key = `${kind} ${name}`;
    if (known.has(key)) throw new SdkError("INVALID_DEFINITION", `provider ${provider}: two ${words[kind]} have the name ${name}`);
    known.add(key);
  }
}
