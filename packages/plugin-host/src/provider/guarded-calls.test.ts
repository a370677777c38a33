// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { type CallOptions, ProviderError } from "@tenon/schema";
import { describe, test } from "vitest";
import type { CallSettings } from "../launch/launch-options.ts";
import { streamingNames, unaryNames } from "./call-names.ts";
import { guardCalls, type ProviderCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

type Answer = (name: string, signal: AbortSignal | undefined) => Promise<unknown>;

/** The calls of a provider that answers every call as `answer` says, guarded. */
function calls(answer: Answer, settings: CallSettings = {}): { calls: ProviderCalls; life: ProviderLife } {
  const wire: Record<string, unknown> = {};
  for (const name of [...unaryNames, "stop"]) wire[name] = (_: unknown, options?: CallOptions) => answer(name, options?.signal);
  for (const name of streamingNames) {
    wire[name] = async function* (_: unknown, options?: CallOptions) {
      for (;;) yield await answer(name, options?.signal);
    };
  }
  const life = new ProviderLife();
  return { calls: guardCalls(wire as unknown as ProviderCalls, "p", life, settings), life };
}

/** The next element of a new stream. */
function next({ listResource }: ProviderCalls): Promise<IteratorResult<unknown, unknown>> {
  const stream = listResource({} as never);
  return stream[Symbol.asyncIterator]().next();
}

const never: Answer = () => new Promise(() => {});

describe("guarded calls", () => {
  test("are all there, and pass answers and errors on", async ({ expect }) => {
    const { calls: plain, life } = calls(async (name) => name);
    for (const name of [...unaryNames, "stop"] as const) expect(await (plain[name] as () => Promise<unknown>)()).toBe(name);
    const failing = calls(async () => {
      throw new ProviderError("UNIMPLEMENTED", "no such thing");
    });
    await expect(failing.calls.getMetadata({})).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
    expect(life.inFlight + failing.life.inFlight).toBe(0);
  });

  test("end when the provider does, and none can be made after that", async ({ expect }) => {
    const { calls: guarded, life } = calls(never);
    const dead = new ProviderError("UNAVAILABLE", "it died");
    const underWay = [guarded.getMetadata({}), guarded.stop({}), next(guarded)];
    life.end(dead);
    for (const call of underWay) await expect(call).rejects.toBe(dead);
    await expect(guarded.readResource({} as never)).rejects.toBe(dead);
    expect(life.inFlight).toBe(0);
  });

  test("that broke wait for the reason when the provider is going down", async ({ expect }) => {
    const broke = new ProviderError("UNAVAILABLE", "lost");
    const dead = new ProviderError("UNAVAILABLE", "it died of this");
    const { calls: guarded, life } = calls(() => Promise.reject(broke));
    const call = guarded.getMetadata({});
    setTimeout(() => life.goDown(), 10);
    setTimeout(() => life.end(dead), 300);
    await expect(call).rejects.toBe(dead);
    const alive = calls(() => Promise.reject(broke));
    await expect(alive.calls.getMetadata({})).rejects.toBe(broke);
  });

  test("take no longer than their limit, and tell the provider", async ({ expect }) => {
    const aborted: unknown[] = [];
    const answer: Answer = (name, signal) =>
      new Promise(() => {
        signal?.addEventListener("abort", () => aborted.push(name));
      });
    const { calls: guarded, life } = calls(answer, { callTimeoutMs: 30 });
    const late = { code: "DEADLINE_EXCEEDED", message: "getMetadata of p did not answer within 30 ms, and was given up" };
    await expect(guarded.getMetadata({})).rejects.toMatchObject(late);
    await expect(next(guarded)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(aborted).toEqual(["getMetadata", "listResource"]);
    expect(life.inFlight).toBe(0);
  });

  test("have limits by their names, and none where they are not named", async ({ expect }) => {
    const { calls: guarded } = calls((name) => (name === "getFunctions" ? sleep(60, "late") : never(name, undefined)), {
      callTimeoutMs: { getMetadata: 20, listResource: 20 },
    });
    const late = { code: "DEADLINE_EXCEEDED", message: expect.stringContaining("within 20 ms") };
    await expect(guarded.getMetadata({})).rejects.toMatchObject(late);
    await expect(next(guarded)).rejects.toMatchObject(late);
    expect(await guarded.getFunctions({})).toBe("late");
  });

  test("that stream may take longer as a whole than one element may", async ({ expect }) => {
    const { calls: guarded } = calls(() => sleep(15, "x"), { callTimeoutMs: 200 });
    let count = 0;
    for await (const _ of guarded.listResource({} as never)) if (++count === 20) break;
    expect(count).toBe(20);
  });

  test("end at once when their caller cancels, before, while waiting and under way", async ({ expect }) => {
    const signals: (AbortSignal | undefined)[] = [];
    const answer: Answer = (_, signal) => {
      signals.push(signal);
      return never("", signal);
    };
    const { calls: guarded, life } = calls(answer, { maxConcurrentCalls: 1 });
    const reason = new Error("enough");
    const cancelled = { code: "CANCELLED", cause: reason };
    await expect(guarded.getMetadata({}, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject(cancelled);
    const controller = new AbortController();
    const underWay = guarded.getMetadata({}, { signal: controller.signal });
    const waiting = guarded.getFunctions({}, { signal: controller.signal });
    controller.abort(reason);
    await expect(underWay).rejects.toMatchObject(cancelled);
    await expect(waiting).rejects.toMatchObject(cancelled);
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(life.inFlight).toBe(0);
  });

  test("that stream are cancelled when their consumer breaks off", async ({ expect }) => {
    let seen: AbortSignal | undefined;
    const { calls: guarded } = calls(async (_, signal) => {
      seen = signal;
      return {};
    });
    for await (const _ of guarded.listResource({} as never)) break;
    expect(seen?.aborted).toBe(true);
  });

  test("wait their turn, but stop and streams do not", async ({ expect }) => {
    let running = 0;
    let most = 0;
    const answer: Answer = async (name) => {
      if (name === "stop" || name === "listResource") return name;
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
      return name;
    };
    const { calls: guarded } = calls(answer, { maxConcurrentCalls: 3 });
    const many = Array.from({ length: 20 }, () => guarded.getMetadata({}));
    expect(await guarded.stop({})).toBe("stop");
    expect(await next(guarded)).toEqual({ done: false, value: "listResource" });
    expect(running).toBe(3);
    await Promise.all(many);
    expect(most).toBe(3);
  });
});
