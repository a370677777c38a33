// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { createCalls, ProviderError, type ProviderCalls } from "@tenon/schema";
import { describe, test } from "vitest";
import type { CallSettings } from "./call-settings.ts";
import { guardCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

type Respond = (name: string, signal: AbortSignal | undefined) => Promise<unknown>;

/** Creates the guarded calls of a provider whose calls all return the result of `respond`. */
function guardedCalls(respond: Respond, settings: CallSettings = {}): { calls: ProviderCalls; life: ProviderLife } {
  const wire = createCalls({
    unary: (name) => async (_, options) => (await respond(name, options?.signal)) as object,
    streaming: (name) =>
      async function* (_, options) {
        for (;;) yield (await respond(name, options?.signal)) as object;
      },
  });
  const life = new ProviderLife();
  return { calls: guardCalls(wire, "p", life, settings), life };
}

/** Reads the first element of a new stream. */
function next({ listResource }: ProviderCalls): Promise<IteratorResult<unknown, unknown>> {
  const stream = listResource({} as never);
  return stream[Symbol.asyncIterator]().next();
}

const never: Respond = () => new Promise(() => {});

describe("guarded calls", () => {
  test("cover every RPC, and pass responses and errors on", async ({ expect }) => {
    const { calls: plain, life } = guardedCalls(async (name) => name);
    const { listResource, invokeAction, readStateBytes, ...unary } = plain;
    for (const [name, call] of Object.entries(unary)) expect(await (call as () => Promise<unknown>)()).toBe(name);
    for (const stream of [listResource, invokeAction, readStateBytes]) expect(stream).toBeTypeOf("function");
    expect(Object.keys(unary)).toHaveLength(33);
    const failing = guardedCalls(async () => {
      throw new ProviderError("UNIMPLEMENTED", "no such thing");
    });
    await expect(failing.calls.getMetadata({})).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
    expect(life.inFlight + failing.life.inFlight).toBe(0);
  });

  test("reject when the provider ends, and later calls are refused", async ({ expect }) => {
    const { calls: guarded, life } = guardedCalls(never);
    const dead = new ProviderError("UNAVAILABLE", "it died");
    const inFlight = [guarded.getMetadata({}), guarded.stop({}), next(guarded)];
    life.end(dead);
    for (const call of inFlight) await expect(call).rejects.toBe(dead);
    const refused = { code: "UNAVAILABLE", message: "it died", requestSent: false };
    await expect(guarded.readResource({} as never)).rejects.toMatchObject(refused);
    expect(life.inFlight).toBe(0);
  });

  test("reject with the reason of the crash when the provider is ending", async ({ expect }) => {
    const broke = new ProviderError("UNAVAILABLE", "lost");
    const dead = new ProviderError("UNAVAILABLE", "it died of this");
    const { calls: guarded, life } = guardedCalls(() => Promise.reject(broke));
    const call = guarded.getMetadata({});
    setTimeout(() => life.beginEnd(), 10);
    setTimeout(() => life.end(dead), 300);
    await expect(call).rejects.toBe(dead);
    const alive = guardedCalls(() => Promise.reject(broke));
    await expect(alive.calls.getMetadata({})).rejects.toBe(broke);
  });

  test("reject after their timeout, and cancel the call at the provider", async ({ expect }) => {
    const aborted: unknown[] = [];
    const respond: Respond = (name, signal) =>
      new Promise(() => {
        signal?.addEventListener("abort", () => aborted.push(name));
      });
    const { calls: guarded, life } = guardedCalls(respond, { callTimeoutMs: 30 });
    const late = { code: "DEADLINE_EXCEEDED", message: "getMetadata of p did not return within 30 ms, and was cancelled" };
    await expect(guarded.getMetadata({})).rejects.toMatchObject(late);
    await expect(next(guarded)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(aborted).toEqual(["getMetadata", "listResource"]);
    expect(life.inFlight).toBe(0);
  });

  test("have a timeout per RPC, and none for RPCs without an entry", async ({ expect }) => {
    const { calls: guarded } = guardedCalls((name) => (name === "getFunctions" ? sleep(60, "late") : never(name, undefined)), {
      callTimeoutMs: { getMetadata: 20, listResource: 20 },
    });
    const late = { code: "DEADLINE_EXCEEDED", message: expect.stringContaining("within 20 ms") };
    await expect(guarded.getMetadata({})).rejects.toMatchObject(late);
    await expect(next(guarded)).rejects.toMatchObject(late);
    expect(await guarded.getFunctions({})).toBe("late");
  });

  test("apply the timeout of a stream to each element, not to the whole stream", async ({ expect }) => {
    const { calls: guarded } = guardedCalls(() => sleep(15, "x"), { callTimeoutMs: 200 });
    let count = 0;
    for await (const _ of guarded.listResource({} as never)) if (++count === 20) break;
    expect(count).toBe(20);
  });

  test("reject at once when their caller cancels before the start, in the queue, or in flight", async ({ expect }) => {
    const signals: (AbortSignal | undefined)[] = [];
    const respond: Respond = (_, signal) => {
      signals.push(signal);
      return never("", signal);
    };
    const { calls: guarded, life } = guardedCalls(respond, { maxConcurrentCalls: 1 });
    const reason = new Error("enough");
    const cancelled = { code: "CANCELLED", cause: reason };
    await expect(guarded.getMetadata({}, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      ...cancelled,
      requestSent: false,
    });
    const controller = new AbortController();
    const inFlight = guarded.getMetadata({}, { signal: controller.signal });
    const waiting = guarded.getFunctions({}, { signal: controller.signal });
    controller.abort(reason);
    await expect(inFlight).rejects.toMatchObject({ ...cancelled, requestSent: true });
    await expect(waiting).rejects.toMatchObject({ ...cancelled, requestSent: false });
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(life.inFlight).toBe(0);
  });

  test("cancel a stream when its consumer stops reading", async ({ expect }) => {
    let seen: AbortSignal | undefined;
    const { calls: guarded } = guardedCalls(async (_, signal) => {
      seen = signal;
      return {};
    });
    for await (const _ of guarded.listResource({} as never)) break;
    expect(seen?.aborted).toBe(true);
  });

  test("wait in the queue, except stop and streams", async ({ expect }) => {
    let running = 0;
    let most = 0;
    const released = Promise.withResolvers<void>();
    const respond: Respond = async (name) => {
      if (name === "stop" || name === "listResource") return name;
      most = Math.max(most, ++running);
      await released.promise;
      running--;
      return name;
    };
    const { calls: guarded } = guardedCalls(respond, { maxConcurrentCalls: 3 });
    const many = Array.from({ length: 20 }, () => guarded.getMetadata({}));
    expect(await guarded.stop({})).toBe("stop");
    expect(await next(guarded)).toEqual({ done: false, value: "listResource" });
    expect(running).toBe(3);
    released.resolve();
    await Promise.all(many);
    expect(most).toBe(3);
  });
});
