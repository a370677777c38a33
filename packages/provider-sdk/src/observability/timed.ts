// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from "node:diagnostics_channel";
import { inSpan } from "@tenon/schema/observability";
import type { Awaitable } from "../definition/call-context.ts";
import { currentCall, currentLog } from "./current-call.ts";

/** Message of the diagnostics channel `tenon:provider:timed`. */
export interface TimedEvent {
  /** Name of the timed block. */
  readonly name: string;
  /** Id of the request; undefined outside handlers. */
  readonly requestId: string | undefined;
}

const channel = tracingChannel<unknown, TimedEvent>("tenon:provider:timed");

/**
 * Runs a function, and logs its duration at level debug in the log of the current call. If OpenTelemetry is set up, the function also
 * gets a span.
 *
 * @throws the error of `work`.
 *
 * @example
 * await timed("fetch the page", async () => 42);
 * // => 42
 */
export async function timed<T>(name: string, work: () => Awaitable<T>): Promise<T> {
  const start = performance.now();
  const took = (): number => Math.round((performance.now() - start) * 1000) / 1000;
  const log = currentLog();
  const measured = async (): Promise<T> => {
    try {
      const result = await inSpan(name, { tracer: "@tenon/provider-sdk" }, async () => work());
      log.debug(name, { duration_ms: took() });
      return result;
    } catch (error) {
      log.debug(`${name} failed`, { duration_ms: took(), error: String(error) });
      throw error;
    }
  };
  if (!channel.hasSubscribers) return measured();
  return channel.tracePromise(measured, { name, requestId: currentCall()?.requestId });
}
