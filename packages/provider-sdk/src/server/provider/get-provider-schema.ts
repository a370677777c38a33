// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetProviderSchemaResponse } from "@tenon/schema";
import { rpc, type Rpc } from "../call/rpc.ts";
import { noCapabilities, serverCapabilities } from "./server-capabilities.ts";

/** Returns the schemas of the provider and of all its components. It needs neither a configuration nor the network. */
export const getProviderSchema: Rpc<EmptyRequest, GetProviderSchemaResponse> = rpc({
  name: "GetProviderSchema",
  run: ({ registry, provider }) => {
    return {
      provider: provider.protocol,
      ...(provider.meta === undefined ? {} : { providerMeta: provider.meta.protocol }),
      resources: mapValues(registry.resource, (resource) => resource.protocol),
      dataSources: mapValues(registry.dataSource, (dataSource) => dataSource.protocol),
      functions: mapValues(new Map([...registry.function].filter(([, one]) => !one.needsClient)), (one) => one.signature),
      ephemeralResources: mapValues(registry.ephemeralResource, (ephemeralResource) => ephemeralResource.protocol),
      listResources: mapValues(registry.listResource, (listResource) => listResource.protocol),
      stateStores: mapValues(registry.stateStore, (stateStore) => stateStore.protocol),
      actions: mapValues(registry.action, (action) => action.protocol),
      serverCapabilities,
    };
  },
  failed: () => ({
    resources: new Map(),
    dataSources: new Map(),
    functions: new Map(),
    ephemeralResources: new Map(),
    listResources: new Map(),
    stateStores: new Map(),
    actions: new Map(),
    serverCapabilities: noCapabilities,
  }),
});

function mapValues<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): ReadonlyMap<string, To> {
  return new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, change(value)]));
}
