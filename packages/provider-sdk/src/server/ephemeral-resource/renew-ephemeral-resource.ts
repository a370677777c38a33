// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type RenewEphemeralResourceRequest, type RenewEphemeralResourceResponse } from "@tenon/schema";
import { clientFor } from "../call/client-access.ts";
import { ephemeralPrivateState } from "../call/private-state.ts";
import { aboutEphemeralResource, rpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Renews an open ephemeral resource before it expires. */
export const renewEphemeralResource: Rpc<RenewEphemeralResourceRequest, RenewEphemeralResourceResponse> = rpc({
  name: "RenewEphemeralResource",
  logFields: aboutEphemeralResource,
  run: async (instance, request, call) => {
    const { typeName, renew } = instance.ephemeralResource(request.typeName);
    if (renew === undefined) {
      call.diagnostics.push(
        errorDiagnostic(`Cannot renew ${typeName}`, "This resource cannot be renewed: its provider has no renew for it."),
      );
      return {};
    }
    const access = clientFor(instance, call, `renew ${typeName}`);
    if (access.kind !== "ready") return {};
    const privateState = await ephemeralPrivateState(instance, typeName, request.private ?? new Uint8Array(0), call);
    if (privateState === undefined) return {};
    let renewAt: Date | undefined;
    const context = handlerContext(call, { client: access.client, renewAt: (time: Date) => void (renewAt = time), privateState });
    await runHandler(call, `Cannot renew ${typeName}`, () => renew(context));
    return { private: await privateState.bytes(), ...(renewAt === undefined ? {} : { renewAt }) };
  },
  failed: () => ({}),
});
