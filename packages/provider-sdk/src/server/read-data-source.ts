// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import type { ReadDataSourceRequest, ReadDataSourceResponse } from "@tenon/schema";
import { keepEquivalent } from "../planning/equivalence.ts";
import { clientFor } from "./client-access.ts";
import { openDeferral } from "./deferral.ts";
import { answered, shown } from "./resource-context.ts";
import { aboutDataSource, rpc, type Rpc } from "./rpc.ts";
import { saidMeta } from "./said-meta.ts";
import { requireConforming } from "./served-instance.ts";
import { hasFailed, runHandler } from "./server-call.ts";

/** What a data source finds. @see framework rule 31 */
export const readDataSource: Rpc<ReadDataSourceRequest, ReadDataSourceResponse> = rpc({
  name: "ReadDataSource",
  about: aboutDataSource,
  run: async (instance, request, call) => {
    const { shape, typeName, read } = instance.dataSource(request.typeName);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const nothing = { state: valueOf(shape.type, null) };
    const access = clientFor(instance, call, `read ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return { state: valueOf(shape.type, UNKNOWN), deferred: access.deferred };
    const config = shown(shape, request.config, "config", "configuration", call);
    if (access.kind === "refused" || config === undefined) return nothing;
    const { warn, log } = call;
    const answer = (state: unknown): unknown => state;
    const meta = saidMeta(instance, request.providerMeta, call);
    const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
    const outcome = await runHandler(call, `Cannot read ${typeName}`, () =>
      watch(() =>
        read({
          client: access.client,
          config,
          meta,
          answer,
          defer,
          get signal() {
            return call.signal;
          },
          warn,
          log,
        }),
      ),
    );
    const putOff = deferred();
    if (putOff !== undefined) return { state: valueOf(shape.type, UNKNOWN), deferred: putOff };
    if (!outcome.ok) return nothing;
    const state = answered(shape, outcome.value, "answer", `read of ${typeName}`, call);
    return hasFailed(call) ? nothing : { state: keepEquivalent(shape, request.config, state) };
  },
  failed: ({ config }) => ({ state: valueOf(config.type, null) }),
});
