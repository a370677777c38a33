// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type RenewEphemeralResourceRequest, type RenewEphemeralResourceResponse } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { ephemeralPrivateState } from "./private-state.ts";
import { aboutEphemeralResource, rpc, type Rpc } from "./rpc.ts";
import { runHandler } from "./server-call.ts";

/** Keeps what is open from expiring. */
export const renewEphemeralResource: Rpc<RenewEphemeralResourceRequest, RenewEphemeralResourceResponse> = rpc({
  name: "RenewEphemeralResource",
  about: aboutEphemeralResource,
  run: async (instance, request, call) => {
    const { typeName, renew } = instance.ephemeralResource(request.typeName);
    if (renew === undefined) {
      call.diagnostics.push(errorDiagnostic(`Cannot renew ${typeName}`, "It never expires: its provider has no renew for it."));
      return {};
    }
    const access = clientFor(instance, call, `renew ${typeName}`);
    if (access.kind !== "ready") return {};
    const privateState = await ephemeralPrivateState(instance, typeName, request.private ?? new Uint8Array(0), call);
    if (privateState === undefined) return {};
    let renewAt: Date | undefined;
    const { signal, warn, log } = call;
    const context = { client: access.client, renewAt: (time: Date) => void (renewAt = time), signal, warn, log, privateState };
    await runHandler(call, `Cannot renew ${typeName}`, () => renew(context));
    return { private: await privateState.bytes(), ...(renewAt === undefined ? {} : { renewAt }) };
  },
  failed: () => ({}),
});
