// SPDX-License-Identifier: Apache-2.0
import type { ComponentKind, ProviderDeclaration, ProviderDefinition } from "../definition/provider.ts";
import type { Schema } from "../definition/schema.ts";
import { createProvider } from "../server/create-provider.ts";
import { asComponent, createComponent, refuseDuplicates } from "../compile/any-component.ts";
import { compileProvider } from "../compile/provider.ts";
import type { CompiledServedProvider } from "../compile/served-provider.ts";

/**
 * Defines a provider. Use the result to define components, and pass them to its `with`.
 *
 * @throws SdkError `INVALID_SCHEMA`, `INVALID_DEFINITION`.
 *
 * @example
 * const notebook = defineProvider({
 *   name: "notebook",
 *   version: "1.0.0",
 *   schema: { path: attr.string({ required: true }) },
 *   configure: ({ config }) => openNotebook(config.path),
 * });
 */
export function defineProvider<S extends Schema = {}, C = undefined, U extends "wait" | "pass" = "wait">(
  definition: ProviderDeclaration<S, C, U>,
): ProviderDefinition<C> {
  const provider = compileProvider(definition);
  const component =
    (kind: ComponentKind) =>
    (name: string, body: object): never =>
      // The client type of a component exists in the types only.
      createComponent(provider, kind, name, body) as never;
  return {
    resource: component("resource"),
    dataSource: component("dataSource"),
    ephemeralResource: component("ephemeralResource"),
    listResource: (resource, definition) => component("listResource")(resource.name, { ...definition, resource }),
    action: component("action"),
    stateStore: component("stateStore"),
    function: component("function"),
    clientFunction: (name, definition) => component("function")(name, { ...definition, needsClient: true }),
    with: (components) => {
      const parts = components as unknown as CompiledServedProvider["~components"];
      const eager = parts.flatMap((component, index) =>
        typeof component === "function" ? [] : [asComponent(component, provider.name, `component ${index} of provider ${provider.name}`)],
      );
      refuseDuplicates(eager, provider.name);
      const served: CompiledServedProvider = {
        name: provider.name,
        version: provider.version,
        open: async () => createProvider(served),
        "~provider": provider,
        "~components": parts,
      };
      return served;
    },
  };
}
