// SPDX-License-Identifier: Apache-2.0

/** A stream whose end at the consumer's side is known to the other side. */
export interface CancellableStream<T> extends AsyncIterableIterator<T, undefined, undefined> {
  /** Cancels the call; a `next` under way fails. */
  return(): Promise<IteratorResult<T, undefined>>;
}

/**
 * A stream that is cancelled when its consumer loses interest.
 *
 * The iterables of Connect's clients have no `return`: breaking off a `for await` leaves the call open, and the peer
 * waiting in flow control. Here `break`, `return`, an exception in the loop and `signal` all cancel the call.
 * The call is made when the first element is asked for, and can be iterated once.
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
  let asking = false;
  const finish = (): { done: true; value: undefined } => {
    finished = true;
    // Also takes the listener off the caller's signal, which may live long.
    controller.abort();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (finished) return { done: true, value: undefined };
      try {
        asking = true;
        elements ??= call(controller.signal)[Symbol.asyncIterator]();
        const element = await elements.next();
        return element.done === true ? finish() : element;
      } catch (error) {
        finish();
        throw error;
      } finally {
        asking = false;
      }
    },
    async return() {
      const result = finish();
      const returned = elements?.return?.();
      // A generator serves its callers in turn: with a `next` under way, aborting is what ends it, whenever that may be.
      if (asking) void returned?.catch(() => {});
      else await returned;
      return result;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
