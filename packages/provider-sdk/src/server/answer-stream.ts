// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, ProviderError, type Diagnostic } from "@tenon/schema";
import { answerWords, componentOf, loggedStream } from "@tenon/schema/observability";
import { heard } from "../logger.ts";
import { answering } from "../observability/observed-call.ts";
import { messageOf, stackOf } from "./error-text.ts";
import type { ServedInstance } from "./served-instance.ts";
import { orAborted, type ServerCall } from "./server-call.ts";
import type { StreamRpc } from "./stream-rpc.ts";

/** How a stream is begun, from the request and the signal that ends it. */
export interface StreamBeginning {
  readonly openCall: (signal: AbortSignal) => ServerCall;
  readonly loadDiagnostic: (error: unknown) => Diagnostic;
}

/**
 * Answers with a stream. Nothing is done before it is read; who breaks it off aborts the handler's signal, and does not wait for
 * the handler.
 */
export async function* answerStream<Request, Event>(
  instance: ServedInstance,
  rpc: StreamRpc<Request, Event>,
  request: Request,
  signal: AbortSignal | undefined,
  { openCall, loadDiagnostic }: StreamBeginning,
): AsyncIterable<Event> {
  if (signal?.aborted) throw new ProviderError("CANCELLED", `${rpc.name}: the caller gave the call up`, { cause: signal.reason });
  const brokenOff = new AbortController();
  const call = openCall(signal === undefined ? brokenOff.signal : AbortSignal.any([signal, brokenOff.signal]));
  const events = eventsOf(instance, rpc, request, call, loadDiagnostic);
  try {
    const event = { rpc: rpc.name, provider: instance.provider.name, requestId: call.current.requestId, about: rpc.about(request) };
    const answered = loggedStream(heard(call.log), answerWords, untilAborted(events, signal, rpc.name));
    yield* answering.observedStream(event, (text) => call.secrets.hide(text), answered);
  } finally {
    brokenOff.abort(new Error("nobody reads the answers any more"));
  }
}

async function* eventsOf<Request, Event>(
  instance: ServedInstance,
  rpc: StreamRpc<Request, Event>,
  request: Request,
  call: ServerCall,
  loadDiagnostic: StreamBeginning["loadDiagnostic"],
): AsyncGenerator<Event> {
  try {
    await instance.load(call.log);
    const used = componentOf(rpc.about(request));
    if (used !== undefined) await instance.use(used);
  } catch (error) {
    call.log.error("the provider cannot be loaded", { error: stackOf(error) });
    yield rpc.failed(request, [loadDiagnostic(error)]);
    return;
  }
  try {
    yield* rpc.run(instance, request, call);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    call.log.error(`${rpc.name} failed`, { error: stackOf(error) });
    yield rpc.failed(request, [errorDiagnostic("Provider failed", call.secrets.hide(`${rpc.name}: ${messageOf(error)}`))]);
  }
}

/** The events, as long as the caller waits for them. */
async function* untilAborted<Event>(events: AsyncGenerator<Event>, signal: AbortSignal | undefined, rpc: string): AsyncIterable<Event> {
  try {
    for (;;) {
      const next = await orAborted(events.next(), signal, rpc);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // A generator that is busy would answer only when it is done, and a handler may never be.
    events.return(undefined).catch(() => {});
  }
}
