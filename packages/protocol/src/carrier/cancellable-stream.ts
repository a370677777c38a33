// SPDX-License-Identifier: Apache-2.0

/** A stream that cancels its call when the consumer stops reading. */
export interface CancellableStream<T> extends AsyncIterableIterator<T, undefined, undefined> {
  /** Cancels the call. A pending `next` rejects. */
  return(): Promise<IteratorResult<T, undefined>>;
}

/**
 * Wraps a streaming call so that it is cancelled when the consumer stops reading.
 *
 * The iterables of Connect's clients have no `return`: `break` in a `for await` leaves the call open, and the peer blocked by flow
 * control. Here `break`, `return`, an exception in the loop and `signal` all cancel the call. The call starts with the first `next`.
 * The stream can be iterated once.
 *
 * @example
 * for await (const event of cancellableStream((signal) => client.listResource(request, { signal }))) {
 *   if (enough(event)) break;
 * }
 */
export function cancellableStream<T>(call: (signal: AbortSignal) => AsyncIterable<T>, signal?: AbortSignal): CancellableStream<T> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true, signal: controller.signal });
  let elements: AsyncIterator<T> | undefined;
  let finished = false;
  let pending = false;
  const finish = (): { done: true; value: undefined } => {
    finished = true;
    // This also removes the listener from the caller's signal, which may be long-lived.
    controller.abort();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (finished) return { done: true, value: undefined };
      try {
        pending = true;
        elements ??= call(controller.signal)[Symbol.asyncIterator]();
        const element = await elements.next();
        return element.done === true ? finish() : element;
      } catch (error) {
        finish();
        throw error;
      } finally {
        pending = false;
      }
    },
    async return() {
      const result = finish();
      const returned = elements?.return?.();
      // A generator queues `return` behind a pending `next`, which only the abort ends.
      if (pending) void returned?.catch(() => {});
      else await returned;
      return result;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
