// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "../diagnostic.ts";

/** Log of a call. */
export type CallLog = {
  readonly [Level in "trace" | "warn" | "error"]: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
};

/** Log messages for the start and the end of a call. */
export interface CallLogMessages {
  readonly start: string;
  readonly end: string;
}

/** Log messages of the server. @see terraform-plugin-go internal/logging */
export const serverLogMessages: CallLogMessages = { start: "Received request", end: "Served request" };
/** Log messages of the client. */
export const clientLogMessages: CallLogMessages = { start: "Sending request", end: "Received response" };

/**
 * Logs a call: its start, every diagnostic, and its end with the counts of diagnostics and the duration. Values are never logged.
 *
 * Messages and keys are those of Go's plugin libraries.
 *
 * @param log - Log of the call; undefined to log nothing.
 * @see terraform-plugin-go internal/logging/keys.go
 */
export function logged<T>(log: CallLog | undefined, messages: CallLogMessages, call: () => Promise<T>): Promise<T> {
  return log === undefined ? call() : loggedCall(log, messages, call);
}

async function loggedCall<T>(log: CallLog, messages: CallLogMessages, call: () => Promise<T>): Promise<T> {
  log.trace(messages.start);
  const start = performance.now();
  try {
    const response = await call();
    logResponse(log, messages, start, (response as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []);
    return response;
  } catch (error) {
    logError(log, start, error);
    throw error;
  }
}

/** Logs a call with a stream of responses. The call ends with the last event, or when the consumer stops reading. */
export async function* loggedStream<Event>(
  log: CallLog | undefined,
  messages: CallLogMessages,
  events: AsyncIterable<Event>,
): AsyncIterable<Event> {
  if (log === undefined) {
    yield* events;
    return;
  }
  log.trace(messages.start);
  const start = performance.now();
  const diagnostics: Diagnostic[] = [];
  let failed = false;
  try {
    for await (const event of events) {
      diagnostics.push(...((event as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []));
      yield event;
    }
  } catch (error) {
    failed = true;
    logError(log, start, error);
    throw error;
  } finally {
    if (!failed) logResponse(log, messages, start, diagnostics);
  }
}

function logResponse(log: CallLog, messages: CallLogMessages, start: number, diagnostics: readonly Diagnostic[]): void {
  logDiagnostics(log, diagnostics);
  log.trace(messages.end, {
    tf_req_duration_ms: milliseconds(start),
    diagnostic_error_count: diagnostics.filter((diagnostic) => hasErrors([diagnostic])).length,
    diagnostic_warning_count: diagnostics.filter((diagnostic) => !hasErrors([diagnostic])).length,
  });
}

/** Logs the diagnostics of a response. */
export function logDiagnostics(log: CallLog, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, summary, detail } of diagnostics) {
    const fields = { diagnostic_severity: severity.toUpperCase(), diagnostic_summary: summary, diagnostic_detail: detail };
    log[severity === "error" ? "error" : "warn"](`Response contains ${severity} diagnostic`, fields);
  }
}

/** Logs that a call failed. @param start - `performance.now()` at its start. */
export function logError(log: CallLog, start: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.error("Request failed", { error: message, tf_req_duration_ms: milliseconds(start) });
}

/** Returns the milliseconds since `start`, to the microsecond. */
function milliseconds(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
