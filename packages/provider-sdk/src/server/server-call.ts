// SPDX-License-Identifier: Apache-2.0
import { pathEquals } from "@tenon/cty";
import { errorDiagnostic, hasErrors, ProviderError, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import type { Log } from "../logger.ts";
import { runInCall, type CurrentCall } from "../observability/current-call.ts";
import type { CallEnding } from "./call-ending.ts";
import { messageOf, stackOf } from "./error-text.ts";
import type { Secrets } from "./secrets.ts";

/** One call of an RPC while it is handled. */
export interface ServerCall {
  /** Made when it is looked at. */
  readonly signal: AbortSignal;
  /** @throws what the signal is aborted with, if it is. */
  throwIfAborted(): void;
  /** What code far from the handler finds its call by. */
  readonly current: CurrentCall;
  readonly log: Log;
  readonly secrets: Secrets;
  /** What the answer will carry. */
  readonly diagnostics: Diagnostic[];
  readonly warn: (summary: string, detail?: string) => void;
}

/** A call that has just come. */
export class OpenCall implements ServerCall {
  readonly current: CurrentCall;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly diagnostics: Diagnostic[] = [];
  readonly warn: ServerCall["warn"] = (summary, detail = "") => void this.diagnostics.push(warningDiagnostic(summary, detail));
  readonly #ending: CallEnding;

  constructor(current: CurrentCall, secrets: Secrets, ending: CallEnding) {
    this.current = current;
    this.log = current.log;
    this.secrets = secrets;
    this.#ending = ending;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  throwIfAborted(): void {
    this.#ending.throwIfAborted();
  }
}

/** Whether the call has failed so far. */
export function hasFailed(call: ServerCall): boolean {
  return hasErrors(call.diagnostics);
}

/** What a handler answered, or that it failed: then the diagnostics say why. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/**
 * Runs an author's handler. Whatever it throws becomes a diagnostic with its message; the stack is for the log alone.
 *
 * @param summary what could not be done: "Cannot create notebook_note".
 */
export async function runHandler<T>(call: ServerCall, summary: string, handler: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    // A handler that only listens for the abort would wait for ever.
    call.throwIfAborted();
    return { ok: true, value: await runInCall(call.current, handler) };
  } catch (error) {
    call.diagnostics.push(errorDiagnostic(summary, messageOf(error)));
    call.log.debug(summary, { error: stackOf(error) });
    return { ok: false };
  }
}

/** What goes out: nothing twice, and nothing secret. */
export function finishedDiagnostics(call: ServerCall): readonly Diagnostic[] {
  const kept: Diagnostic[] = [];
  for (const diagnostic of call.diagnostics) {
    const hidden = { ...diagnostic, summary: call.secrets.hide(diagnostic.summary), detail: call.secrets.hide(diagnostic.detail) };
    if (!kept.some((other) => isEqual(other, hidden))) kept.push(hidden);
  }
  return kept;
}

function isEqual(a: Diagnostic, b: Diagnostic): boolean {
  return a.severity === b.severity && a.summary === b.summary && a.detail === b.detail && pathEquals(a.attribute ?? [], b.attribute ?? []);
}

/** Rejects as the caller's own abort does, as soon as it happens: what the handler still does is not waited for. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, rpc: string): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new ProviderError("CANCELLED", `${rpc}: the caller gave the call up`, { cause: signal.reason }));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
