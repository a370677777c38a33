// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";

/**
 * A value that is computed at most once, when it is first needed. In a run, each object to which expressions can refer is a cell: a
 * variable, an output, the instances of a resource.
 *
 * The computation starts in a microtask of its own, so that a chain of references can have any length. Cells never wait for each other in a
 * circle, because `DependencyGraph.findCycles` has rejected such configurations before.
 */
export class Cell<T> {
  readonly #compute: () => T | Promise<T>;
  readonly #onFailure: (error: unknown) => void;
  #result: Promise<T> | undefined;

  /** @param onFailure Receives the error of the computation, before those who wait for the value get it. */
  constructor(compute: () => T | Promise<T>, onFailure: (error: unknown) => void = ignore) {
    this.#compute = compute;
    this.#onFailure = onFailure;
  }

  /** The value. Rejects with the error of the computation: {@link UpstreamError} if diagnostics with errors were reported. */
  get(): Promise<T> {
    if (this.#result === undefined) {
      this.#result = started.then(this.#compute);
      // A value that is never read must not cause an unhandled rejection. Later readers still get the error.
      this.#result.catch(this.#onFailure);
    }
    return this.#result;
  }

  /** Whether the computation has begun. */
  get isStarted(): boolean {
    return this.#result !== undefined;
  }
}

const started = Promise.resolve();

/** Marks the rejection of a promise as handled, for a promise that may never be awaited because an earlier one fails first. */
export function toleratingRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * The error of a value that cannot be computed, because diagnostics with errors were reported for it or for a value that it needs. Blocks
 * that depend on the value are skipped; the rest of the run continues.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** The diagnostics that were reported where the error was thrown. Undefined for an error that only follows from others. */
  readonly diagnostics: readonly Diagnostic[] | undefined;
  /** The key of the block that the diagnostics are about, once it is known. */
  block: string | undefined;

  constructor(diagnostics?: readonly Diagnostic[]) {
    super("a value that this one depends on has errors");
    this.diagnostics = diagnostics;
  }
}

/** The value of a promise; undefined if it rejects with {@link UpstreamError}, whose diagnostics are reported already. Any other error is thrown. */
export async function unlessUpstreamError<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return undefined;
  }
}

function ignore(): void {
  // The error is that of whoever reads the value.
}

/** Waits for all promises. Then throws the first error that is not an {@link UpstreamError}, or returns whether all succeeded. */
export async function settleAll(promises: Iterable<Promise<unknown>>): Promise<boolean> {
  let succeeded = true;
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof UpstreamError)) throw result.reason;
    succeeded = false;
  }
  return succeeded;
}
