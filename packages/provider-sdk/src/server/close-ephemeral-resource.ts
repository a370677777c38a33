// SPDX-License-Identifier: Apache-2.0
import type { CloseEphemeralResourceRequest, DiagnosticsResponse } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { ephemeralPrivateState } from "./private-state.ts";
import { aboutEphemeralResource, checkingRpc, type Rpc } from "./rpc.ts";
import { runHandler } from "./server-call.ts";

/** Closes what is open; where there is nothing to do for that, it is done. */
export const closeEphemeralResource: Rpc<CloseEphemeralResourceRequest, DiagnosticsResponse> = checkingRpc(
  "CloseEphemeralResource",
  aboutEphemeralResource,
  async (instance, request, call) => {
    const { typeName, close } = instance.ephemeralResource(request.typeName);
    if (close === undefined) return;
    const access = clientFor(instance, call, `close ${typeName}`);
    if (access.kind !== "ready") return;
    const privateState = await ephemeralPrivateState(instance, typeName, request.private ?? new Uint8Array(0), call);
    if (privateState === undefined) return;
    const { signal, warn, log } = call;
    await runHandler(call, `Cannot close ${typeName}`, () => close({ client: access.client, signal, warn, log, privateState }));
  },
);
