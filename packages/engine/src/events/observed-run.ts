// SPDX-License-Identifier: Apache-2.0
import type { EngineEvent, EventListener } from "./events.ts";

/** A run whose events can be iterated over. */
export interface ObservedRun<Result> extends AsyncIterable<EngineEvent> {
  /** The result of the run. */
  readonly result: Promise<Result>;
}

/**
 * Starts a run, and makes its events an async iterable. It ends with the run, and throws what the run rejects with. Events wait until they are
 * read; the run does not wait for the reader, and goes on if the reader breaks off. All readers share the events.
 *
 * @param start Starts a plan, an apply or another operation with the listener.
 *
 * @example
 * const applying = observeRun((onEvent) => plan.apply({ onEvent }));
 * for await (const { type } of applying) console.log(type);
 * const { state } = await applying.result;
 */
export function observeRun<Result>(start: (onEvent: EventListener) => Promise<Result>): ObservedRun<Result> {
  const events: EngineEvent[] = [];
  let isEnded = false;
  let wake = Promise.withResolvers<void>();
  const announce = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const result = start((event) => {
    events.push(event);
    announce();
  });
  const end = async (): Promise<void> => {
    await Promise.allSettled([result]);
    isEnded = true;
    announce();
  };
  void end();
  return {
    result,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else if (isEnded) break;
        else await wake.promise;
      }
      await result;
    },
  };
}
