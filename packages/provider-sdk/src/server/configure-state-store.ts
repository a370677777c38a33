// SPDX-License-Identifier: Apache-2.0
import type { ConfigureStateStoreRequest, ConfigureStateStoreResponse } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { shown } from "./resource-context.ts";
import { aboutStateStore, rpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { runHandler } from "./server-call.ts";

const usualChunkSize = 8 * 1024 * 1024;

/** Opens a state store, and settles on the size of the pieces that states travel in. @see framework rule 43 */
export const configureStateStore: Rpc<ConfigureStateStoreRequest, ConfigureStateStoreResponse> = rpc({
  name: "ConfigureStateStore",
  about: aboutStateStore,
  run: async (instance, request, call) => {
    const { shape, typeName, open, chunkSize: most = Infinity } = instance.stateStore(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    instance.secrets.add(shape, request.config);
    const chunkSize = Math.min(most, request.chunkSize > 0 ? request.chunkSize : usualChunkSize);
    // What was open under another configuration is not what was asked for.
    instance.stateStores.delete(typeName);
    const access = clientFor(instance, call, `open ${typeName}`);
    const config = shown(shape, request.config, "config", "configuration", call);
    if (access.kind !== "ready" || config === undefined) return { chunkSize };
    const { signal, warn, log } = call;
    const opened = await runHandler(call, `Cannot open ${typeName}`, () => open({ client: access.client, config, signal, warn, log }));
    if (opened.ok) instance.stateStores.set(typeName, { store: opened.value, chunkSize });
    return { chunkSize };
  },
  failed: ({ chunkSize }) => ({ chunkSize }),
});
