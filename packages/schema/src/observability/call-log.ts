// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "../diagnostic.ts";

/** Where the lines of a call go. */
export type CallLog = {
  readonly [Level in "trace" | "warn" | "error"]: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
};

/** What lines of a call say at its beginning and at its end. */
export interface CallWords {
  readonly begun: string;
  readonly answered: string;
}

/** For who answers. @see terraform-plugin-go internal/logging */
export const answerWords: CallWords = { begun: "Received request", answered: "Served request" };
/** For who asks. */
export const requestWords: CallWords = { begun: "Sending request", answered: "Received response" };

/**
 * Logs a call from its beginning to its answer: every diagnostic, how many, how long it took. Values are never logged.
 *
 * Words and keys are those of Go's plugin libraries, so that who reads the logs of many providers reads one language.
 *
 * @param log Undefined where nobody reads it.
 * @see terraform-plugin-go internal/logging/keys.go
 */
export async function logged<T>(log: CallLog | undefined, words: CallWords, answer: () => Promise<T>): Promise<T> {
  if (log === undefined) return answer();
  log.trace(words.begun);
  const start = performance.now();
  try {
    const response = await answer();
    logAnswered(log, words, start, (response as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []);
    return response;
  } catch (error) {
    logFailed(log, start, error);
    throw error;
  }
}

/** The same for a call that is answered with a stream, from its beginning to its last event, or to where nobody reads on. */
export async function* loggedStream<Event>(log: CallLog | undefined, words: CallWords, events: AsyncIterable<Event>): AsyncIterable<Event> {
  if (log === undefined) {
    yield* events;
    return;
  }
  log.trace(words.begun);
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
    logFailed(log, start, error);
    throw error;
  } finally {
    if (!failed) logAnswered(log, words, start, diagnostics);
  }
}

function logAnswered(log: CallLog, { answered }: CallWords, start: number, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, summary, detail } of diagnostics) {
    const fields = { diagnostic_severity: severity.toUpperCase(), diagnostic_summary: summary, diagnostic_detail: detail };
    log[severity === "error" ? "error" : "warn"](`Response contains ${severity} diagnostic`, fields);
  }
  log.trace(answered, {
    tf_req_duration_ms: milliseconds(start),
    diagnostic_error_count: diagnostics.filter((diagnostic) => hasErrors([diagnostic])).length,
    diagnostic_warning_count: diagnostics.filter((diagnostic) => !hasErrors([diagnostic])).length,
  });
}

function logFailed(log: CallLog, start: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log.error("Request failed", { error: message, tf_req_duration_ms: milliseconds(start) });
}

/** Since `start`, to the microsecond. */
function milliseconds(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
