// SPDX-License-Identifier: Apache-2.0

/**
 * A value that is computed at most once, when it is first needed. Everything in a run that others refer to is one: a variable, an output,
 * the instances of a resource.
 *
 * The computation starts in a turn of its own, so that a chain of references can have any length. The order of a run's cells has no
 * circle: {@link findCycles} has refused such configurations before.
 */
export class Cell<T> {
  readonly #compute: () => T | Promise<T>;
  #result: Promise<T> | undefined;

  constructor(compute: () => T | Promise<T>) {
    this.#compute = compute;
  }

  /** The value, or the error that the computation ended with: {@link UpstreamError} where a diagnostic has been reported. */
  get(): Promise<T> {
    if (this.#result === undefined) {
      this.#result = Promise.resolve().then(this.#compute);
      // A value that no one reads may fail too; whoever reads it later gets the error.
      this.#result.catch(() => undefined);
    }
    return this.#result;
  }

  /** Whether the computation has begun. */
  get isStarted(): boolean {
    return this.#result !== undefined;
  }
}

/**
 * A value that cannot be computed, because diagnostics with errors were reported for it or for a value that it needs. What depends on it is
 * skipped; the rest of the run goes on.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";

  constructor() {
    super("a value that this one depends on has errors");
  }
}

/** Waits for all, and then throws the first error that is not an {@link UpstreamError}. Returns whether all succeeded. */
export async function settleAll(promises: Iterable<Promise<unknown>>): Promise<boolean> {
  let succeeded = true;
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof UpstreamError)) throw result.reason;
    succeeded = false;
  }
  return succeeded;
}
