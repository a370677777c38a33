// SPDX-License-Identifier: Apache-2.0
import { valueOf } from "@tenon/cty/unstable/payload";
import type { ReadResourceRequest, ReadResourceResponse } from "@tenon/schema";
import { keepEquivalent } from "../../planning/equivalence.ts";
import { hasContent } from "../../shape/part.ts";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { openIdentity } from "./resource-identity.ts";
import { encodeResult, decodeView, reporters } from "../call/handler-values.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "../call/rpc.ts";
import { providerMetaOf } from "../call/provider-meta.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { hasFailed, runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Reads the current state of a resource; null if it no longer exists. @see rule 30 in test/rules */
export const readResource: Rpc<ReadResourceRequest, ReadResourceResponse> = rpc({
  name: "ReadResource",
  logFields: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { shape, typeName } = resource;
    requireConforming(shape, request.currentState, `the state of ${typeName}`);
    call.secrets.add(shape, request.currentState);
    if (!hasContent(request.currentState)) return unread(request);
    const access = clientFor(instance, call, `read ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { ...unread(request), deferred: access.deferred };
    const state = decodeView(shape, request.currentState, "recorded", "recorded state", call);
    if (access.kind === "refused" || state === undefined) return unread(request);
    const privateState = await resourcePrivateState(instance, typeName, request.private, call);
    if (privateState === undefined) return unread(request);
    const identity = openIdentity(resource, request.currentIdentity, call);
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const meta = providerMetaOf(instance, request.providerMeta, call);
    const context = handlerContext(call, {
      warn: reporters(shape, call).warn,
      client: access.client,
      state,
      meta,
      ...identity.context,
      defer,
      privateState,
    });
    const outcome = await runHandler(call, `Cannot read ${typeName}`, () => watch(() => resource.read(context)));
    const deferral = deferred();
    if (deferral !== undefined) return { ...unread(request), deferred: deferral };
    if (!outcome.ok) return unread(request);
    // JavaScript libraries return null as often as undefined for a missing object.
    if (outcome.value === undefined || outcome.value === null) return { newState: valueOf(shape.type, null), private: new Uint8Array(0) };
    const newState = encodeResult(shape, outcome.value, "result", `read of ${typeName}`, call, [request.currentState]);
    const newIdentity = hasFailed(call) ? {} : identity.ofState(newState, `read of ${typeName}`);
    if (hasFailed(call)) return unread(request);
    return { newState: keepEquivalent(shape, request.currentState, newState), private: await privateState.bytes(), ...newIdentity };
  },
  failed: unread,
});

/** The response when the resource was not read: nothing changes. */
function unread(request: ReadResourceRequest): Bare<ReadResourceResponse> {
  return {
    newState: request.currentState,
    private: request.private,
    ...(request.currentIdentity === undefined ? {} : { newIdentity: request.currentIdentity }),
  };
}
