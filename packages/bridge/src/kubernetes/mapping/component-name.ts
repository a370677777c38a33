// SPDX-License-Identifier: Apache-2.0
import type { GetProviderSchemaResponse } from "@tenon/schema";
import type { ComponentName, KindMapping } from "./mapping.ts";

/** Names of the schemas of each component in those of a provider. */
export interface ComponentSchemaNames extends Readonly<Record<ComponentName, keyof GetProviderSchemaResponse>> {
  readonly data: "dataSources";
  readonly function: "functions";
  readonly list: "listResources";
  readonly ephemeral: "ephemeralResources";
}

/** Where the schemas of a provider have each component. */
export const componentSchemas: ComponentSchemaNames = {
  data: "dataSources",
  function: "functions",
  list: "listResources",
  ephemeral: "ephemeralResources",
};

/** The schemas of components other than resource types. */
export type ComponentSchemas = Pick<GetProviderSchemaResponse, ComponentSchemaNames[ComponentName]>;

/** Returns the name of a kind's resource type or component, as rules use it: `time_static`, `data.time_now`. */
export function ruleName({ component, typeName }: Pick<KindMapping, "component" | "typeName">): string {
  return component ? `${component}.${typeName}` : typeName;
}

/** Reads a name such as `data.time_now`, as rules use it; undefined for the name of a resource type. */
export function componentReference(name: string): { readonly component: ComponentName; readonly typeName: string } | undefined {
  const match = /^(data|function|list|ephemeral)\.(.+)$/.exec(name);
  return match ? { component: match[1] as ComponentName, typeName: match[2]! } : undefined;
}
