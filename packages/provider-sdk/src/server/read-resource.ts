// SPDX-License-Identifier: Apache-2.0
import { valueOf } from "@tenon/cty/unstable/payload";
import type { ReadResourceRequest, ReadResourceResponse } from "@tenon/schema";
import { keepEquivalent } from "../planning/equivalence.ts";
import { hasContent } from "../planning/part.ts";
import { clientFor } from "./client-access.ts";
import { openDeferral } from "./deferral.ts";
import { resourcePrivateState } from "./private-state.ts";
import { openIdentity } from "./resource-identity.ts";
import { answered, shown } from "./resource-context.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import { saidMeta } from "./said-meta.ts";
import { requireConforming } from "./served-instance.ts";
import { hasFailed, runHandler } from "./server-call.ts";

/** What is there now; null where it is gone. @see framework rule 30 */
export const readResource: Rpc<ReadResourceRequest, ReadResourceResponse> = rpc({
  name: "ReadResource",
  about: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { shape, typeName } = resource;
    requireConforming(shape, request.currentState, `the state of ${typeName}`);
    call.secrets.add(shape, request.currentState);
    if (!hasContent(request.currentState)) return unread(request);
    const access = clientFor(instance, call, `read ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { ...unread(request), deferred: access.deferred };
    const state = shown(shape, request.currentState, "recorded", "recorded state", call);
    if (access.kind === "refused" || state === undefined) return unread(request);
    const privateState = await resourcePrivateState(instance, typeName, request.private, call);
    if (privateState === undefined) return unread(request);
    const identity = openIdentity(resource, request.currentIdentity, call);
    const { warn, log } = call;
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const meta = saidMeta(instance, request.providerMeta, call);
    const context = {
      client: access.client,
      state,
      meta,
      ...identity.context,
      defer,
      get signal() {
        return call.signal;
      },
      warn,
      log,
      privateState,
    };
    const outcome = await runHandler(call, `Cannot read ${typeName}`, () => watch(() => resource.read(context)));
    const putOff = deferred();
    if (putOff !== undefined) return { ...unread(request), deferred: putOff };
    if (!outcome.ok) return unread(request);
    // JavaScript libraries say null as often as undefined where there is nothing.
    if (outcome.value === undefined || outcome.value === null) return { newState: valueOf(shape.type, null), private: new Uint8Array(0) };
    const newState = answered(shape, outcome.value, "answer", `read of ${typeName}`, call);
    const found = hasFailed(call) ? {} : identity.of(newState, `read of ${typeName}`);
    if (hasFailed(call)) return unread(request);
    return { newState: keepEquivalent(shape, request.currentState, newState), private: await privateState.bytes(), ...found };
  },
  failed: unread,
});

/** What is answered where nothing was read: all as it was. */
function unread(request: ReadResourceRequest): Bare<ReadResourceResponse> {
  return {
    newState: request.currentState,
    private: request.private,
    ...(request.currentIdentity === undefined ? {} : { newIdentity: request.currentIdentity }),
  };
}
