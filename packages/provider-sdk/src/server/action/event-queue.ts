// SPDX-License-Identifier: Apache-2.0

/** A queue of events, read in the order in which they were pushed. It is not bounded. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #events: Event[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Adds an event. Has no effect after {@link end}. */
  push(event: Event): void {
    if (this.#ended) return;
    this.#events.push(event);
    this.#wake?.();
  }

  /** Ends the queue. Events that are still in it can be read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Event> {
    for (;;) {
      while (this.#events.length > 0) yield this.#events.shift()!;
      if (this.#ended) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
