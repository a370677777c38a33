// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type OpenEphemeralResourceRequest, type OpenEphemeralResourceResponse } from "@tenon/schema";
import { textsOf } from "@tenon/schema/observability";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { ephemeralPrivateState } from "../call/private-state.ts";
import { encodeResult, decodeView, reporters } from "../call/handler-values.ts";
import { aboutEphemeralResource, rpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { hasFailed, runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Opens an ephemeral resource for this run. @see rule 40 in test/rules */
export const openEphemeralResource: Rpc<OpenEphemeralResourceRequest, OpenEphemeralResourceResponse> = rpc({
  name: "OpenEphemeralResource",
  logFields: aboutEphemeralResource,
  run: async (instance, request, call) => {
    const { shape, typeName, open, renew } = instance.ephemeralResource(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const notOpened = { result: valueOf(shape.type, null) };
    const access = clientFor(instance, call, `open ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { result: valueOf(shape.type, UNKNOWN), deferred: access.deferred };
    const config = decodeView(shape, request.config, "config", "configuration", call);
    if (access.kind === "refused" || config === undefined) return notOpened;
    const privateState = (await ephemeralPrivateState(instance, typeName, new Uint8Array(0), call))!;
    let renewAt: Date | undefined;
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const context = handlerContext(call, {
      warn: reporters(shape, call).warn,
      client: access.client,
      defer,
      config,
      result: (result: unknown) => result,
      renewAt: (time: Date) => void (renewAt = time),
      privateState,
    });
    const outcome = await runHandler(call, `Cannot open ${typeName}`, () => watch(() => open(context)));
    const deferral = deferred();
    if (deferral !== undefined) return { result: valueOf(shape.type, UNKNOWN), deferred: deferral };
    if (!outcome.ok) return notOpened;
    if (renewAt !== undefined && renew === undefined) {
      call.diagnostics.push(
        errorDiagnostic(`Cannot open ${typeName}`, "open called renewAt, but this resource has no renew. This is a bug in the provider."),
      );
    }
    const result = encodeResult(shape, outcome.value, "result", `open of ${typeName}`, call, [request.config]);
    call.secrets.addTexts(() => new Set(textsOf(result.payload)).difference(new Set(textsOf(request.config.payload))));
    const stored = await privateState.bytes();
    return hasFailed(call) ? notOpened : { result, private: stored, ...(renewAt === undefined ? {} : { renewAt }) };
  },
  failed: ({ config }) => ({ result: valueOf(config.type, null) }),
});
