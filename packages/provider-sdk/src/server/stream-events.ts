// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, ProviderError, type Diagnostic } from "@tenon/schema";
import { componentOf, loggedStream, serverLogMessages } from "@tenon/schema/observability";
import { activeLog } from "../logger.ts";
import { callObservation } from "../observability/observed-call.ts";
import { logError } from "../observability/error-stack.ts";
import { messageOf } from "./call/error-text.ts";
import type { ServedInstance } from "./instance/served-instance.ts";
import { orAborted, type ServerCall } from "./call/server-call.ts";
import type { StreamRpc } from "./call/stream-rpc.ts";

/** The functions that open the call of a stream and report a failed load. */
export interface StreamOpening {
  readonly openCall: (signal: AbortSignal) => ServerCall;
  readonly loadDiagnostic: (error: unknown) => Diagnostic;
}

/**
 * Runs an RPC with a stream of events. The handler starts when the caller reads the first event. A caller that stops reading early aborts
 * the handler's signal, and does not wait for the handler.
 */
export async function* streamEvents<Request, Event>(
  instance: ServedInstance,
  rpc: StreamRpc<Request, Event>,
  request: Request,
  signal: AbortSignal | undefined,
  { openCall, loadDiagnostic }: StreamOpening,
): AsyncIterable<Event> {
  if (signal?.aborted)
    throw new ProviderError("CANCELLED", `${rpc.name}: the caller cancelled the call`, { cause: signal.reason, requestSent: false });
  const readerGone = new AbortController();
  const call = openCall(signal === undefined ? readerGone.signal : AbortSignal.any([signal, readerGone.signal]));
  const events = eventsOf(instance, rpc, request, call, loadDiagnostic);
  try {
    const event = { rpc: rpc.name, provider: instance.provider.name, requestId: call.current.requestId, about: rpc.logFields(request) };
    const observed = loggedStream(activeLog(call.log), serverLogMessages, untilAborted(events, signal, rpc.name));
    yield* callObservation.observedStream(event, (text) => call.secrets.hide(text), observed);
  } finally {
    readerGone.abort(new Error("the caller stopped reading the stream"));
    instance.inFlight.end(call.secrets);
  }
}

async function* eventsOf<Request, Event>(
  instance: ServedInstance,
  rpc: StreamRpc<Request, Event>,
  request: Request,
  call: ServerCall,
  loadDiagnostic: StreamOpening["loadDiagnostic"],
): AsyncGenerator<Event> {
  try {
    await instance.load(call.log);
    const component = componentOf(rpc.logFields(request));
    if (component !== undefined) await instance.loadComponent(component);
  } catch (error) {
    logError(call.log, "the provider cannot be loaded", error);
    yield rpc.failed(request, [loadDiagnostic(error)]);
    return;
  }
  try {
    yield* rpc.run(instance, request, call);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    logError(call.log, `${rpc.name} failed`, error);
    yield rpc.failed(request, [errorDiagnostic("Provider failed", call.secrets.hide(`${rpc.name}: ${messageOf(error)}`))]);
  }
}

/** Yields the events until the caller aborts. */
async function* untilAborted<Event>(events: AsyncGenerator<Event>, signal: AbortSignal | undefined, rpc: string): AsyncIterable<Event> {
  try {
    for (;;) {
      const next = await orAborted(events.next(), signal, rpc);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a busy generator returns only when its handler has finished, and a handler may never finish.
    events.return(undefined).catch(() => {});
  }
}
