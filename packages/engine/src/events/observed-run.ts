// SPDX-License-Identifier: Apache-2.0
import type { EngineEvent, EventListener } from "./events.ts";

/** A run whose events can be iterated over. */
export interface ObservedRun<Result> extends AsyncIterable<EngineEvent> {
  /** The result of the run. */
  readonly result: Promise<Result>;
}

/**
 * Starts a run, and returns its events as an async iterable. The iterable ends with the run, and throws the error that the run rejects with.
 * Events are kept until they are read. The run does not wait for the reader, and continues if the reader stops. Each event goes to one reader.
 *
 * @param start Starts a plan, an apply or another operation with a listener.
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
