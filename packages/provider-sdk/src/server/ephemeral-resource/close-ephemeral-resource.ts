// SPDX-License-Identifier: Apache-2.0
import type { CloseEphemeralResourceRequest, DiagnosticsResponse } from "@tenon/schema";
import { clientFor } from "../call/client-access.ts";
import { ephemeralPrivateState } from "../call/private-state.ts";
import { aboutEphemeralResource, checkingRpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Closes an ephemeral resource; does nothing if the resource has no `close`. */
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
    const context = handlerContext(call, { client: access.client, privateState });
    await runHandler(call, `Cannot close ${typeName}`, () => close(context));
  },
);
