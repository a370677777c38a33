// SPDX-License-Identifier: Apache-2.0
import { type Provider, ProviderError, type StreamingCall, type UnaryCall } from "@tenon/schema";
import type { CallSettings } from "../launch/launch-options.ts";
import { streamingNames, unaryNames, type StreamingName, type UnaryName } from "./call-names.ts";
import { CallQueue } from "./call-queue.ts";
import type { ProviderLife } from "./provider-life.ts";

/** A provider's calls without its end, which belongs to whoever brought it to life. */
export type ProviderCalls = Omit<Provider, "close" | typeof Symbol.asyncDispose>;

interface Context {
  readonly provider: string;
  readonly life: ProviderLife;
  readonly timeoutMs: number | undefined;
}

/**
 * The calls of a provider that may die, with the limits a host sets: every one ends, whatever becomes of the provider, and
 * says why.
 */
export function guardCalls(wire: ProviderCalls, provider: string, life: ProviderLife, settings: CallSettings): ProviderCalls {
  const { callTimeoutMs } = settings;
  const contextOf = (name: UnaryName | StreamingName | "stop"): Context => ({
    provider,
    life,
    timeoutMs: typeof callTimeoutMs === "object" ? callTimeoutMs[name] : callTimeoutMs,
  });
  const queue = settings.maxConcurrentCalls === undefined ? undefined : new CallQueue(settings.maxConcurrentCalls);
  const calls: Record<string, unknown> = { stop: unaryCall("stop", wire.stop, contextOf("stop"), undefined) };
  for (const name of unaryNames) calls[name] = unaryCall(name, wire[name] as UnaryCall<unknown, unknown>, contextOf(name), queue);
  for (const name of streamingNames) calls[name] = streamingCall(name, wire[name] as StreamingCall<unknown, unknown>, contextOf(name));
  // The names are all there are, and each call has the type of the one it wraps.
  return calls as unknown as ProviderCalls;
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
      // Not awaited: where an element is still under way, this waits for it.
      void elements?.return?.().catch(() => {});
    }
  };
}

/**
 * Waits for what `start` brings, but no longer than the provider lives, the caller wants it, and the time limit allows. When
 * one of these comes first, `abort` is called. With a queue, it starts when its turn comes.
 */
function guard<T>(
  name: string,
  start: () => Promise<T>,
  abort: () => void,
  { provider, life, timeoutMs }: Context,
  signal: AbortSignal | undefined,
  queue: CallQueue | undefined,
): Promise<T> {
  const refusal = (): ProviderError | undefined => life.error ?? (signal?.aborted ? cancelled(name, provider, signal) : undefined);
  return new Promise((resolve, reject) => {
    const refused = refusal();
    if (refused !== undefined) {
      reject(refused);
      return;
    }
    let state: "waiting" | "started" | "done" = "waiting";
    let timer: NodeJS.Timeout | undefined;
    let leaveQueue: (() => void) | undefined;
    /** True for the one who may settle the promise. */
    const finish = (): boolean => {
      if (state === "done") return false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      life.remove(giveUp);
      const started = state === "started";
      state = "done";
      if (started) queue?.leave();
      else leaveQueue?.();
      return true;
    };
    const giveUp = (error: ProviderError): void => {
      if (!finish()) return;
      abort();
      reject(error);
    };
    const onAbort = (): void => giveUp(cancelled(name, provider, signal));
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
      // Its turn may come because of what ends it too.
      const refused = refusal();
      if (refused !== undefined) {
        giveUp(refused);
        return;
      }
      if (timeoutMs !== undefined) {
        const late = (): void =>
          giveUp(new ProviderError("DEADLINE_EXCEEDED", `${name} of ${provider} did not answer within ${timeoutMs} ms, and was given up`));
        timer = setTimeout(late, timeoutMs);
      }
      void attempt();
    };
    life.add(giveUp);
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
