// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetMetadataResponse } from "@tenon/schema";
import { rpc, type Rpc } from "../call/rpc.ts";
import { noCapabilities, serverCapabilities } from "./server-capabilities.ts";

const noComponents = {
  resources: [],
  dataSources: [],
  functions: [],
  ephemeralResources: [],
  listResources: [],
  stateStores: [],
  actions: [],
} satisfies Partial<GetMetadataResponse>;

/** Returns the names of the provider's components. */
export const getMetadata: Rpc<EmptyRequest, GetMetadataResponse> = rpc({
  name: "GetMetadata",
  run: ({ registry }) => {
    return {
      serverCapabilities,
      resources: [...registry.resource.keys()].toSorted(),
      dataSources: [...registry.dataSource.keys()].toSorted(),
      ephemeralResources: [...registry.ephemeralResource.keys()].toSorted(),
      listResources: [...registry.listResource.keys()].toSorted(),
      actions: [...registry.action.keys()].toSorted(),
      stateStores: [...registry.stateStore.keys()].toSorted(),
      functions: [...registry.function.values()]
        .filter((one) => !one.needsClient)
        .map(({ name }) => name)
        .toSorted(),
    };
  },
  failed: () => ({ ...noComponents, serverCapabilities: noCapabilities }),
});
