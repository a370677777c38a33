// SPDX-License-Identifier: Apache-2.0
import type { PlanActionRequest, PlanActionResponse } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { openDeferral } from "./deferral.ts";
import { reporter, shown } from "./resource-context.ts";
import { aboutAction, rpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { runHandler } from "./server-call.ts";

/** Asks an action, while a plan is made, whether it can be done. @see framework rule 42 */
export const planAction: Rpc<PlanActionRequest, PlanActionResponse> = rpc({
  name: "PlanAction",
  about: aboutAction,
  run: async (instance, request, call) => {
    const { shape, typeName, plan } = instance.action(request.actionType);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    if (plan === undefined) return {};
    const access = clientFor(instance, call, `plan ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { deferred: access.deferred };
    const config = shown(shape, request.config, "configDraft", "configuration", call);
    if (access.kind === "refused" || config === undefined) return {};
    const { signal, warn, log } = call;
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const context = { client: access.client, config, defer, error: reporter(shape, call), signal, warn, log };
    await runHandler(call, `Cannot plan ${typeName}`, () => watch(() => plan(context)));
    const putOff = deferred();
    return putOff === undefined ? {} : { deferred: putOff };
  },
  failed: () => ({}),
});
