// SPDX-License-Identifier: Apache-2.0
import type { InvokeActionEvent, InvokeActionRequest } from "@tenon/schema";
import { clientFor } from "./client-access.ts";
import { EventQueue } from "./event-queue.ts";
import { reporter, shown } from "./resource-context.ts";
import { aboutAction } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { runHandler } from "./server-call.ts";
import { drainDiagnostics, type StreamRpc } from "./stream-rpc.ts";

/** Does it: any number of progress events, then exactly one that says how it went. @see framework rule 42 */
export const invokeAction: StreamRpc<InvokeActionRequest, InvokeActionEvent> = {
  name: "InvokeAction",
  about: aboutAction,
  async *run(instance, request, call) {
    const { shape, typeName, invoke } = instance.action(request.actionType);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const access = clientFor(instance, call, `invoke ${typeName}`);
    const config = shown(shape, request.config, "config", "configuration", call);
    if (access.kind === "ready" && config !== undefined) {
      const queue = new EventQueue<InvokeActionEvent>();
      const { signal, warn, log } = call;
      const context = {
        client: access.client,
        config,
        progress: (message: unknown) => queue.push({ kind: "progress", message: call.secrets.hide(String(message)) }),
        error: reporter(shape, call),
        signal,
        warn,
        log,
      };
      // It fails into the call's diagnostics, never with a rejection.
      const done = runHandler(call, `Cannot invoke ${typeName}`, () => invoke(context)).finally(() => queue.end());
      yield* queue;
      await done;
    }
    yield { kind: "completed", diagnostics: drainDiagnostics(call) };
  },
  failed: (_request, diagnostics) => ({ kind: "completed", diagnostics }),
};
