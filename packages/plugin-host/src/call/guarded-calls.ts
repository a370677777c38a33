// SPDX-License-Identifier: Apache-2.0
import { mapCalls, ProviderError, type CallName, type ProviderCalls, type StreamingCall, type UnaryCall } from "@tenon/schema";
import type { CallSettings } from "./call-settings.ts";
import { CallQueue } from "./call-queue.ts";
import type { ProviderLife } from "./provider-life.ts";

interface Context {
  readonly provider: string;
  readonly life: ProviderLife;
  readonly timeoutMs: number | undefined;
}

/**
 * Wraps the calls of a provider whose process may end, and applies the limits of the host. No call outlives the provider, and its error
 * reports why the provider ended.
 */
export function guardCalls(wire: ProviderCalls, provider: string, life: ProviderLife, settings: CallSettings): ProviderCalls {
  const { callTimeoutMs } = settings;
  const contextOf = (name: CallName): Context => ({
    provider,
    life,
    timeoutMs: typeof callTimeoutMs === "object" ? callTimeoutMs[name] : callTimeoutMs,
  });
  const queue = settings.maxConcurrentCalls === undefined ? undefined : new CallQueue(settings.maxConcurrentCalls);
  return mapCalls(wire, {
    // A stop must not wait in the queue behind the calls that it stops.
    unary: (call, name) => unaryCall(name, call, contextOf(name), name === "stop" ? undefined : queue),
    streaming: (call, name) => streamingCall(name, call, contextOf(name)),
  });
}

function unaryCall<Request, Response>(
  name: string,
  call: UnaryCall<Request, Response>,
  context: Context,
  queue: CallQueue | undefined,
): UnaryCall<Request, Response> {
  return (request, { signal } = {}) => {
    const controller = context.timeoutMs === undefined ? undefined : new AbortController();
    const start = (): Promise<Response> => call(request, optionsOf(controller?.signal ?? signal));
    return guard(name, start, () => controller?.abort(), context, signal, queue);
  };
}

function streamingCall<Request, Event>(name: string, call: StreamingCall<Request, Event>, context: Context): StreamingCall<Request, Event> {
  return async function* (request, { signal } = {}) {
    const controller = new AbortController();
    let elements: AsyncIterator<Event> | undefined;
    const next = async (): Promise<IteratorResult<Event, unknown>> => {
      elements ??= call(request, { signal: controller.signal })[Symbol.asyncIterator]();
      return await elements.next();
    };
    try {
      for (;;) {
        const element = await guard(name, next, () => controller.abort(), context, signal, undefined);
        if (element.done === true) return;
        yield element.value;
      }
    } finally {
      controller.abort();
      // Not awaited, because it would wait for an element that is still in flight.
      void elements?.return?.().catch(() => {});
    }
  };
}

/**
 * Calls `start` and waits for its result. If the provider ends, the caller aborts, or the time limit is reached first, calls `abort` and
 * rejects. With a queue, `start` is called when its turn comes.
 */
function guard<T>(
  name: string,
  start: () => Promise<T>,
  abort: () => void,
  { provider, life, timeoutMs }: Context,
  signal: AbortSignal | undefined,
  queue: CallQueue | undefined,
): Promise<T> {
  const refusal = (): ProviderError | undefined =>
    (life.error ?? (signal?.aborted ? cancelled(name, provider, signal) : undefined))?.asUnsent();
  return new Promise((resolve, reject) => {
    const refused = refusal();
    if (refused !== undefined) {
      reject(refused);
      return;
    }
    let state: "waiting" | "started" | "done" = "waiting";
    let timer: NodeJS.Timeout | undefined;
    let leaveQueue: (() => void) | undefined;
    /** Marks the call as done. @returns whether it was not done before: only then may the caller settle the promise */
    const finish = (): boolean => {
      if (state === "done") return false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      life.remove(cancel);
      const started = state === "started";
      state = "done";
      if (started) queue?.leave();
      else leaveQueue?.();
      return true;
    };
    const cancel = (error: ProviderError): void => {
      const wasStarted = state === "started";
      if (!finish()) return;
      abort();
      reject(wasStarted ? error : error.asUnsent());
    };
    const onAbort = (): void => cancel(cancelled(name, provider, signal));
    const attempt = async (): Promise<void> => {
      try {
        const value = await start();
        if (finish()) resolve(value);
      } catch (error) {
        const reason = await life.explain(error);
        if (finish()) reject(reason);
      }
    };
    const run = (): void => {
      state = "started";
      // The cause that ended the previous call may apply to this one too.
      const refused = refusal();
      if (refused !== undefined) {
        cancel(refused);
        return;
      }
      if (timeoutMs !== undefined) {
        const late = (): void =>
          cancel(new ProviderError("DEADLINE_EXCEEDED", `${name} of ${provider} did not return within ${timeoutMs} ms, and was cancelled`));
        timer = setTimeout(late, timeoutMs);
      }
      void attempt();
    };
    life.add(cancel);
    signal?.addEventListener("abort", onAbort);
    if (queue === undefined) run();
    else leaveQueue = queue.enter(run);
  });
}

function cancelled(name: string, provider: string, signal: AbortSignal | undefined): ProviderError {
  return new ProviderError("CANCELLED", `${name} of ${provider} was cancelled by its caller`, { cause: signal?.reason });
}

function optionsOf(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
