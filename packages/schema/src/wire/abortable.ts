// SPDX-License-Identifier: Apache-2.0

/** Waits for a shared promise. When `signal` is aborted first, rejects with its reason. The promise itself is not cancelled. */
export async function abortable<Result>(shared: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return shared;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([shared, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
