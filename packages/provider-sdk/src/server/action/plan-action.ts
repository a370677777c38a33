// SPDX-License-Identifier: Apache-2.0
import type { PlanActionRequest, PlanActionResponse } from "@tenon/schema";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { reporters, decodeView } from "../call/handler-values.ts";
import { aboutAction, rpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Plans an action: its `plan` handler may refuse, warn or defer. @see rule 42 in test/rules */
export const planAction: Rpc<PlanActionRequest, PlanActionResponse> = rpc({
  name: "PlanAction",
  logFields: aboutAction,
  run: async (instance, request, call) => {
    const { shape, typeName, plan } = instance.action(request.actionType);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    if (plan === undefined) return {};
    const access = clientFor(instance, call, `plan ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { deferred: access.deferred };
    const config = decodeView(shape, request.config, "configDraft", "configuration", call);
    if (access.kind === "refused" || config === undefined) return {};
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const context = handlerContext(call, { client: access.client, config, defer, ...reporters(shape, call) });
    await runHandler(call, `Cannot plan ${typeName}`, () => watch(() => plan(context)));
    const deferral = deferred();
    return deferral === undefined ? {} : { deferred: deferral };
  },
  failed: () => ({}),
});
