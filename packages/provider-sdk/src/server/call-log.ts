// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { type Log, silentLog } from "../logger.ts";

/**
 * Logs a call from its arrival to its answer: every diagnostic, how many, how long it took. Values are never logged.
 *
 * Words and keys are those of Go's plugin libraries, so that who reads the logs of many providers reads one language.
 *
 * @see terraform-plugin-go internal/logging/keys.go
 */
export async function logged(log: Log, answer: () => Promise<unknown>): Promise<unknown> {
  if (log === silentLog) return answer();
  log.trace("Received request");
  const start = performance.now();
  try {
    const response = await answer();
    logServed(log, start, (response as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []);
    return response;
  } catch (error) {
    log.error("Request failed", { error: (error as Error).message, tf_req_duration_ms: milliseconds(start) });
    throw error;
  }
}

function logServed(log: Log, start: number, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, summary, detail } of diagnostics) {
    const fields = { diagnostic_severity: severity.toUpperCase(), diagnostic_summary: summary, diagnostic_detail: detail };
    log[severity === "error" ? "error" : "warn"](`Response contains ${severity} diagnostic`, fields);
  }
  log.trace("Served request", {
    tf_req_duration_ms: milliseconds(start),
    diagnostic_error_count: diagnostics.filter((diagnostic) => hasErrors([diagnostic])).length,
    diagnostic_warning_count: diagnostics.filter((diagnostic) => !hasErrors([diagnostic])).length,
  });
}

/** Since `start`, to the microsecond. */
function milliseconds(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}

/** The same for a call that is answered with a stream, from its arrival to its last event. */
export async function* loggedStream<Event>(log: Log, events: AsyncIterable<Event>): AsyncIterable<Event> {
  log.trace("Received request");
  const start = performance.now();
  const diagnostics: Diagnostic[] = [];
  try {
    for await (const event of events) {
      diagnostics.push(...((event as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []));
      yield event;
    }
    logServed(log, start, diagnostics);
  } catch (error) {
    log.error("Request failed", { error: (error as Error).message, tf_req_duration_ms: milliseconds(start) });
    throw error;
  }
}
