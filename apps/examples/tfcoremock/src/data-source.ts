// SPDX-License-Identifier: Apache-2.0
import { attr, type Component, type ProviderDefinition } from "@tenon/provider-sdk";
import type { ResourceDeclaration } from "./declaration.ts";
import { schemaOf } from "./schema.ts";
import type { Store } from "./store.ts";
import { loadedObject } from "./stored-value.ts";

/** Creates the data source of a declaration. It reads an object of the data folder. */
export function dataSourceOf(provider: ProviderDefinition<Store>, name: string, declared: ResourceDeclaration): Component<Store> {
  return provider.dataSource(name, {
    schema: { ...schemaOf(declared, "dataSource"), id: attr.string({ required: true }) },
    read: async ({ config, client }) => {
      const { values } = await client.readData(config.id);
      return { ...loadedObject(values, declared), id: config.id };
    },
  });
}
