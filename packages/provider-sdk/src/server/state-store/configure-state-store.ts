// SPDX-License-Identifier: Apache-2.0
import type { ConfigureStateStoreRequest, ConfigureStateStoreResponse } from "@tenon/schema";
import { clientFor } from "../call/client-access.ts";
import { decodeView } from "../call/handler-values.ts";
import { aboutStateStore, rpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

const defaultChunkSize = 8 * 1024 * 1024;

/** Opens a state store, and negotiates the chunk size in which states are sent. @see rule 43 in test/rules */
export const configureStateStore: Rpc<ConfigureStateStoreRequest, ConfigureStateStoreResponse> = rpc({
  name: "ConfigureStateStore",
  logFields: aboutStateStore,
  run: async (instance, request, call) => {
    const { shape, typeName, open, chunkSize: maximum = Infinity } = instance.stateStore(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    instance.secrets.add(shape, request.config);
    const chunkSize = Math.min(maximum, request.chunkSize > 0 ? request.chunkSize : defaultChunkSize);
    // A store that is open with an earlier configuration is not used any longer.
    instance.stateStores.delete(typeName);
    const access = clientFor(instance, call, `open ${typeName}`);
    const config = decodeView(shape, request.config, "config", "configuration", call);
    if (access.kind !== "ready" || config === undefined) return { chunkSize };
    const context = handlerContext(call, { client: access.client, config });
    const opened = await runHandler(call, `Cannot open ${typeName}`, () => open(context));
    if (opened.ok) instance.stateStores.set(typeName, { store: opened.value, chunkSize });
    return { chunkSize };
  },
  failed: ({ chunkSize }) => ({ chunkSize }),
});
