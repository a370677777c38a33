// SPDX-License-Identifier: Apache-2.0
import { pathEquals } from "@tenon/cty";
import { TurnoverSet } from "@tenon/protocol/turnover";
import { errorDiagnostic, hasErrors, ProviderError, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import type { Log } from "../../logger.ts";
import { runInCall, type CurrentCall } from "../../observability/current-call.ts";
import type { CallEnding } from "./call-ending.ts";
import { logError } from "../../observability/error-stack.ts";
import { messageOf } from "./error-text.ts";
import type { Secrets } from "../instance/secrets.ts";

/** One call of an RPC while it is handled. */
export interface ServerCall {
  /** Aborts when the call is cancelled. It is created when it is first read. */
  readonly signal: AbortSignal;
  /** @throws the abort reason, if the call is cancelled. */
  throwIfAborted(): void;
  /** The result of `currentCall()` while the handler runs. */
  readonly current: CurrentCall;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Diagnostics of the response. */
  readonly diagnostics: Diagnostic[];
  readonly warn: (summary: string, detail?: string) => void;
}

/** A call that the server has received. */
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

/** The result of a handler, or its failure, which the call's diagnostics report. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/**
 * Runs an author's handler. An error that it throws becomes a diagnostic with its message; its stack goes only to the log.
 *
 * @param summary the summary of that diagnostic: "Cannot create notebook_note".
 */
export async function runHandler<T>(call: ServerCall, summary: string, handler: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    // A handler that listens for "abort" would wait forever on a signal that is already aborted.
    call.throwIfAborted();
    return { ok: true, value: await runInCall(call.current, handler) };
  } catch (error) {
    call.diagnostics.push(errorDiagnostic(summary, messageOf(error)));
    logError(call.log, summary, error);
    return { ok: false };
  }
}

/** The diagnostics of the response, without duplicates and with secrets masked. */
export function finishedDiagnostics(call: ServerCall): readonly Diagnostic[] {
  if (call.diagnostics.length === 0) return [];
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

/** Returns the result of the work. Rejects as soon as the signal aborts, without waiting for the handler. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, rpc: string): Promise<T> {
  return signal === undefined ? work : untilAborted(work, signal, rpc);
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal, rpc: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const waits = waitsFor(signal);
    const abort = (): void => reject(new ProviderError("CANCELLED", `${rpc}: the caller cancelled the call`, { cause: signal.reason }));
    waits.add(abort);
    // The handler has run until its first wait already, and may have aborted the signal.
    if (signal.aborted) abort();
    work.then(
      (result) => {
        waits.delete(abort);
        return resolve(result);
      },
      (error: unknown) => {
        waits.delete(abort);
        return reject(error);
      },
    );
  });
}

/** Functions that end the waits for calls, by the signal of their callers. The calls of a run share a signal, which needs one listener. */
const waitsBySignal = new WeakMap<AbortSignal, TurnoverSet<() => void>>();

function waitsFor(signal: AbortSignal): TurnoverSet<() => void> {
  let waits = waitsBySignal.get(signal);
  if (waits === undefined) {
    const added = (waits = new TurnoverSet<() => void>());
    waitsBySignal.set(signal, added);
    signal.addEventListener("abort", () => [...added].forEach((abort) => abort()), { once: true });
  }
  return waits;
}
