// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";
import { WorkQueue } from "./work-queue.ts";

describe("a work queue", () => {
  test("hands out a key once, however often it was added", async ({ expect }) => {
    const queue = new WorkQueue();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect(queue.length).toBe(2);
    expect([await queue.take(), await queue.take()]).toEqual(["a", "b"]);
    expect(queue.length).toBe(0);
    const closed = queue.close();
    for (const key of ["a", "b"]) queue.done(key);
    await closed;
  });

  test("hands out a key again that was added while a worker had it, after the worker is done", async ({ expect }) => {
    const queue = new WorkQueue();
    queue.add("a");
    expect(await queue.take()).toBe("a");
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    const next = queue.take();
    queue.add("b");
    expect(await next).toBe("b");
    queue.done("a");
    expect(await queue.take()).toBe("a");
    queue.done("a");
    queue.done("b");
    expect(queue.length).toBe(0);
    await queue.close();
  });

  test("applies the shortest of several delays of a key, and ends the delay when the key is added", async ({ expect }) => {
    const queue = new WorkQueue();
    queue.addAfter("slow", 60_000);
    queue.addAfter("slow", 1);
    expect(await queue.take()).toBe("slow");
    queue.addAfter("other", 1);
    queue.addAfter("other", 60_000);
    expect(await queue.take()).toBe("other");
    queue.addAfter("now", 60_000);
    queue.add("now");
    expect(await queue.take()).toBe("now");
    for (const key of ["slow", "other", "now"]) queue.done(key);
    expect(queue.length).toBe(0);
    await queue.close();
  });

  test("delays a key longer after each failure, until it is forgotten", async ({ expect }) => {
    const queue = new WorkQueue({ initialDelayMs: 40, maxDelayMs: 100, repeatsPerSecond: 1_000 });
    const failed = async (): Promise<number> => {
      const start = performance.now();
      queue.addAfterFailure("a");
      queue.done((await queue.take())!);
      // Timers may fire up to a millisecond early.
      return performance.now() - start + 1;
    };
    expect(await failed()).toBeGreaterThanOrEqual(40);
    expect(await failed()).toBeGreaterThanOrEqual(80);
    expect(await failed()).toBeGreaterThanOrEqual(100);
    queue.forget("a");
    // Its first delay is the shorter one again.
    queue.addAfterFailure("a");
    queue.addAfter("b", 70);
    expect([await queue.take(), await queue.take()]).toEqual(["a", "b"]);
    queue.done("a");
    queue.done("b");
    await queue.close();
  });

  test("hands out no more keys after close(), which waits for the last worker", async ({ expect }) => {
    const queue = new WorkQueue();
    queue.add("a");
    queue.addAfter("later", 60_000);
    await queue.take();
    const waiting = queue.take();
    let closed = false;
    const closing = queue.close().then(() => (closed = true));
    expect(await waiting).toBeUndefined();
    queue.add("b");
    expect(await queue.take()).toBeUndefined();
    expect(closed).toBe(false);
    queue.done("a");
    await closing;
  });

  test("never hands a key to two workers, and loses no key", async ({ expect }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean()), { maxLength: 60 }), async (steps) => {
        const queue = new WorkQueue();
        const active = new Set<string>();
        const versions = new Map<string, number>();
        const handled = new Map<string, number>();
        const worker = async (): Promise<void> => {
          for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
            expect(active.has(key)).toBe(false);
            active.add(key);
            const version = versions.get(key)!;
            await new Promise(setImmediate);
            handled.set(key, version);
            active.delete(key);
            queue.done(key);
          }
        };
        const workers = [worker(), worker(), worker()];
        for (const [key, pause] of steps) {
          versions.set(key, (versions.get(key) ?? 0) + 1);
          queue.add(key);
          if (pause) await new Promise(setImmediate);
        }
        while (queue.length + queue.active > 0) await new Promise(setImmediate);
        expect(handled).toEqual(versions);
        await queue.close();
        await Promise.all(workers);
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});

test("a token bucket allows its burst, then its rate", ({ expect }) => {
  let now = 0;
  const bucket = new TokenBucket(2, 3, () => now);
  expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([true, true, true, false]);
  now = 500;
  expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, false]);
  expect([bucket.reserve(), bucket.reserve()]).toEqual([500, 1_000]);
  now = 60_000;
  expect(bucket.isFull).toBe(true);
});
