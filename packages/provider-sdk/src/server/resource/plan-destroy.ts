// SPDX-License-Identifier: Apache-2.0
import { valueOf } from "@tenon/cty/unstable/payload";
import type { PlanResourceChangeRequest, PlanResourceChangeResponse } from "@tenon/schema";
import type { CompiledResource } from "../../compile/resource.ts";
import { hasContent } from "../../shape/part.ts";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { handlerContext } from "../call/handler-context.ts";
import { reporters, decodeView } from "../call/handler-values.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { providerMetaOf } from "../call/provider-meta.ts";
import type { Bare } from "../call/rpc.ts";
import { runHandler, type ServerCall } from "../call/server-call.ts";
import type { ServedInstance } from "../instance/served-instance.ts";
import { openIdentity } from "./resource-identity.ts";
import { deferredPlan, unplanned } from "./unfinished-plan.ts";

/**
 * Plans the destruction of a resource: the plan is null, and the resource's `planDestroy` may warn or refuse. @see rule 22 in test/rules
 */
export async function planDestroy(
  instance: ServedInstance,
  resource: CompiledResource,
  request: PlanResourceChangeRequest,
  call: ServerCall,
): Promise<Bare<PlanResourceChangeResponse>> {
  const { planDestroy: handler, shape, typeName } = resource;
  const response = { ...unplanned(request), plannedState: valueOf(shape.type, null) };
  if (handler === undefined || !hasContent(request.priorState)) return response;
  const access = clientFor(instance, call, `plan to destroy ${typeName}`, request.clientCapabilities);
  if (access.kind === "deferred") return { ...response, deferred: access.deferred };
  const state = decodeView(shape, request.priorState, "recorded", "recorded state", call);
  const privateState = await resourcePrivateState(instance, typeName, request.priorPrivate, call);
  if (access.kind === "refused" || state === undefined || privateState === undefined) return response;
  const deferral = openDeferral(request.clientCapabilities);
  const context = handlerContext(call, {
    client: access.client,
    state,
    identity: openIdentity(resource, request.priorIdentity, call).context.identity,
    meta: providerMetaOf(instance, request.providerMeta, call),
    defer: deferral.defer,
    privateState,
    ...reporters(shape, call),
  });
  await runHandler(call, `Cannot destroy ${typeName}`, () => deferral.watch(() => handler(context)));
  return { ...response, plannedPrivate: await privateState.bytes(), ...deferredPlan(instance, deferral, request.clientCapabilities) };
}
