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

/** The kinds of components, and how each is checked and compiled. A new kind is a line here, in `server/registry.ts`, and RPCs in `server/rpcs.ts`. */
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

const brand = Symbol.for("@tenon/provider-sdk/component/1");

/**
 * A component from what its author wrote.
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
  Object.defineProperty(component, brand, { value: true });
  return component;
}

/** The component that something is; undefined where it is none. */
export function componentIn(candidate: unknown): CompiledComponent | undefined {
  return typeof candidate === "object" && candidate !== null && brand in candidate ? (candidate as object as CompiledComponent) : undefined;
}

/** A component that a module or an author handed over. @throws SdkError `INVALID_COMPONENT` where it is none. */
export function asComponent(candidate: unknown, where: string): CompiledComponent {
  const found =
    typeof candidate === "object" && candidate !== null && "default" in candidate && !(brand in candidate) ? candidate.default : candidate;
  if (typeof found === "object" && found !== null && brand in found) return found as object as CompiledComponent;
  throw new SdkError(
    "INVALID_COMPONENT",
    `${where} is no component: hand over what resource(), dataSource() or one of their neighbours answered, or a module with it as its default export`,
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

/** @throws SdkError `INVALID_DEFINITION` for two of one kind and name. */
export function refuseDuplicates(
  components: readonly { readonly kind: CompiledComponent["kind"]; readonly name: string }[],
  provider: string,
): void {
  const known = new Set<string>();
  for (const { kind, name } of components) {
    const key = `${kind} ${name}`;
    if (known.has(key)) throw new SdkError("INVALID_DEFINITION", `provider ${provider}: two ${words[kind]} are called ${name}`);
    known.add(key);
  }
}
