// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type OpenEphemeralResourceRequest, type OpenEphemeralResourceResponse } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { openDeferral } from "./deferral.ts";
import { ephemeralPrivateState } from "./private-state.ts";
import { answered, shown } from "./resource-context.ts";
import { aboutEphemeralResource, rpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { hasFailed, runHandler } from "./server-call.ts";

/** Opens it, for this run. @see framework rule 40 */
export const openEphemeralResource: Rpc<OpenEphemeralResourceRequest, OpenEphemeralResourceResponse> = rpc({
  name: "OpenEphemeralResource",
  about: aboutEphemeralResource,
  run: async (instance, request, call) => {
    const { shape, typeName, open, renew } = instance.ephemeralResource(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const nothing = { result: valueOf(shape.type, null) };
    const access = clientFor(instance, call, `open ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { result: valueOf(shape.type, UNKNOWN), deferred: access.deferred };
    const config = shown(shape, request.config, "config", "configuration", call);
    if (access.kind === "refused" || config === undefined) return nothing;
    const privateState = (await ephemeralPrivateState(instance, typeName, new Uint8Array(0), call))!;
    let renewAt: Date | undefined;
    const { signal, warn, log } = call;
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const context = {
      client: access.client,
      defer,
      config,
      answer: (result: unknown) => result,
      renewAt: (time: Date) => void (renewAt = time),
      signal,
      warn,
      log,
      privateState,
    };
    const outcome = await runHandler(call, `Cannot open ${typeName}`, () => watch(() => open(context)));
    const putOff = deferred();
    if (putOff !== undefined) return { result: valueOf(shape.type, UNKNOWN), deferred: putOff };
    if (!outcome.ok) return nothing;
    if (renewAt !== undefined && renew === undefined) {
      call.diagnostics.push(
        errorDiagnostic(`Cannot open ${typeName}`, "open says when to renew it, but it has no renew. This is a bug in the provider."),
      );
    }
    const result = answered(shape, outcome.value, "answer", `open of ${typeName}`, call);
    const stored = await privateState.bytes();
    return hasFailed(call) ? nothing : { result, private: stored, ...(renewAt === undefined ? {} : { renewAt }) };
  },
  failed: ({ config }) => ({ result: valueOf(config.type, null) }),
});
