// SPDX-License-Identifier: Apache-2.0

/** Waits for what others wait for too, but no longer than until `signal` is aborted; rejects with its reason then. */
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
