// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import type { ReadDataSourceRequest, ReadDataSourceResponse } from "@tenon/schema";
import { keepEquivalent } from "../../planning/equivalence.ts";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { encodeResult, decodeView, reporters } from "../call/handler-values.ts";
import { aboutDataSource, rpc, type Rpc } from "../call/rpc.ts";
import { providerMetaOf } from "../call/provider-meta.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { hasFailed, runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Reads a data source. @see rule 31 in test/rules */
export const readDataSource: Rpc<ReadDataSourceRequest, ReadDataSourceResponse> = rpc({
  name: "ReadDataSource",
  logFields: aboutDataSource,
  run: async (instance, request, call) => {
    const { shape, typeName, read } = instance.dataSource(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const noState = { state: valueOf(shape.type, null) };
    const access = clientFor(instance, call, `read ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { state: valueOf(shape.type, UNKNOWN), deferred: access.deferred };
    const config = decodeView(shape, request.config, "config", "configuration", call);
    if (access.kind === "refused" || config === undefined) return noState;
    const result = (state: unknown): unknown => state;
    const meta = providerMetaOf(instance, request.providerMeta, call);
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const context = handlerContext(call, { warn: reporters(shape, call).warn, client: access.client, config, meta, result, defer });
    const outcome = await runHandler(call, `Cannot read ${typeName}`, () => watch(() => read(context)));
    const deferral = deferred();
    if (deferral !== undefined) return { state: valueOf(shape.type, UNKNOWN), deferred: deferral };
    if (!outcome.ok) return noState;
    const state = encodeResult(shape, outcome.value, "result", `read of ${typeName}`, call, [request.config]);
    return hasFailed(call) ? noState : { state: keepEquivalent(shape, request.config, state) };
  },
  failed: ({ config }) => ({ state: valueOf(config.type, null) }),
});
