// SPDX-License-Identifier: Apache-2.0

/** Events that one side pushes and the other reads, in order; what nobody has read yet is kept. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #events: Event[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Adds an event. Without effect after the end. */
  push(event: Event): void {
    if (this.#ended) return;
    this.#events.push(event);
    this.#wake?.();
  }

  /** No more events come; those that are there are still read. */
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
