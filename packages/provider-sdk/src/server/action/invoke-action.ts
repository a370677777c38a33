// SPDX-License-Identifier: Apache-2.0
import type { InvokeActionEvent, InvokeActionRequest } from "@tenon/schema";
import { clientFor } from "../call/client-access.ts";
import { EventQueue } from "./event-queue.ts";
import { reporters, decodeView } from "../call/handler-values.ts";
import { aboutAction } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { runHandler } from "../call/server-call.ts";
import { drainDiagnostics, type StreamRpc } from "../call/stream-rpc.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Invokes an action: any number of progress events, then exactly one event with the outcome. @see rule 42 in test/rules */
export const invokeAction: StreamRpc<InvokeActionRequest, InvokeActionEvent> = {
  name: "InvokeAction",
  logFields: aboutAction,
  async *run(instance, request, call) {
    const { shape, typeName, invoke } = instance.action(request.actionType);
    requireConforming(shape, request.config, `the configuration of ${typeName}`);
    call.secrets.add(shape, request.config);
    const access = clientFor(instance, call, `invoke ${typeName}`);
    const config = decodeView(shape, request.config, "config", "configuration", call);
    if (access.kind === "ready" && config !== undefined) {
      const queue = new EventQueue<InvokeActionEvent>();
      const context = handlerContext(call, {
        client: access.client,
        config,
        progress: (message: unknown) => queue.push({ kind: "progress", message: call.secrets.hide(String(message)) }),
        ...reporters(shape, call),
      });
      // `runHandler` turns errors into diagnostics of the call, so this promise never rejects.
      const done = runHandler(call, `Cannot invoke ${typeName}`, () => invoke(context)).finally(() => queue.end());
      yield* queue;
      await done;
    }
    yield { kind: "completed", diagnostics: drainDiagnostics(call) };
  },
  failed: (_request, diagnostics) => ({ kind: "completed", diagnostics }),
};
