// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { cancellableStream } from "./cancellable-stream.ts";

/** A call that yields numbers until it is aborted, and records the signal. */
function counting(limit = Number.POSITIVE_INFINITY): { call: (signal: AbortSignal) => AsyncIterable<number>; signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const call = (signal: AbortSignal): AsyncIterable<number> => {
    signals.push(signal);
    let count = 0;
    // Without `return`, as in Connect.
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          if (signal.aborted) return Promise.reject(new Error("aborted"));
          return Promise.resolve(count < limit ? { done: false, value: count++ } : { done: true, value: undefined });
        },
      }),
    };
  };
  return { call, signals };
}

/** A call that yields nothing until it is aborted. */
function stuck(signal: AbortSignal): AsyncIterable<number> {
  const next = (): Promise<IteratorResult<number>> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error(`aborted: ${signal.reason}`))));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

describe("cancellableStream", () => {
  test("yields every element, and aborts the call only after the last one", async ({ expect }) => {
    const { call, signals } = counting(3);
    const seen: number[] = [];
    for await (const element of cancellableStream(call)) {
      seen.push(element);
      expect(signals[0]?.aborted).toBe(false);
    }
    expect(seen).toEqual([0, 1, 2]);
    expect(signals).toHaveLength(1);
  });

  test("starts the call with the first read", ({ expect }) => {
    const { call, signals } = counting();
    cancellableStream(call);
    expect(signals).toHaveLength(0);
  });

  test("aborts when the loop breaks or throws", async ({ expect }) => {
    const broken = counting();
    for await (const element of cancellableStream(broken.call)) if (element === 2) break;
    expect(broken.signals[0]?.aborted).toBe(true);

    const thrown = counting();
    const loop = async (): Promise<void> => {
      for await (const element of cancellableStream(thrown.call)) throw new Error(`at ${element}`);
    };
    await expect(loop()).rejects.toThrow("at 0");
    expect(thrown.signals[0]?.aborted).toBe(true);
  });

  test("rejects a pending read on return", async ({ expect }) => {
    const stream = cancellableStream(stuck);
    const reading = stream.next();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    await expect(reading).rejects.toThrow("aborted");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("aborts with the reason of the caller's signal", async ({ expect }) => {
    const controller = new AbortController();
    const reading = cancellableStream(stuck, controller.signal).next();
    controller.abort("enough");
    await expect(reading).rejects.toThrow("aborted: enough");
    await expect(cancellableStream(counting().call, AbortSignal.abort()).next()).rejects.toThrow("aborted");
  });

  test("removes its listener from the caller's signal when it ends", async ({ expect }) => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      (args[2] as { signal: AbortSignal }).signal.addEventListener("abort", () => listeners--);
      add(...args);
    };
    for await (const _ of cancellableStream(counting(3).call, signal));
    expect(listeners).toBe(0);
  });

  test("waits for the cleanup of a generator", async ({ expect }) => {
    let cleaned = false;
    const call = async function* (): AsyncGenerator<number> {
      try {
        yield 1;
        yield 2;
      } finally {
        await Promise.resolve();
        cleaned = true;
      }
    };
    for await (const _ of cancellableStream(call)) break;
    expect(cleaned).toBe(true);
  });
});
