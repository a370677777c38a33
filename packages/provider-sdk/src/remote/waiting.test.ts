// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from "node:timers/promises";
import { describe, test } from "vitest";
import type { Log } from "../logger.ts";
import { waits } from "./back-off.ts";
import { createKeyedMutex } from "./keyed-mutex.ts";
import { retry, retryAfter } from "./retry.ts";
import { waitForState, waitUntilGone } from "./wait-for-state.ts";

interface Machine {
  readonly status: "building" | "ready" | "broken" | "deleting";
}
const machine = {
  stateOf: ({ status }: Machine) => status,
  backOff: { first: 1, longest: 4 },
} as const;

/** Returns a refresh function that returns the statuses in order, and repeats the last one. */
const refreshReturning = (...statuses: readonly (Machine["status"] | undefined)[]): (() => Machine | undefined) => {
  let at = 0;
  return () => {
    const status = statuses[Math.min(at++, statuses.length - 1)];
    return status === undefined ? undefined : { status };
  };
};

test("waits grow by the factor up to the maximum, and are shortened by at most half", ({ expect }) => {
  const pause = waits({ first: 100, factor: 3, longest: 500 });
  for (const longest of [100, 300, 500, 500]) {
    const wait = pause.next().value;
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
});

describe("waitForState", () => {
  test("returns the object when it reaches a target state", async ({ expect }) => {
    const refresh = refreshReturning(undefined, "building", "building", "ready");
    await expect(waitForState({ ...machine, refresh, pending: ["building"], target: ["ready"] })).resolves.toEqual({ status: "ready" });
  });

  test("fails on a state that is neither pending nor a target", async ({ expect }) => {
    const refresh = refreshReturning("building", "broken");
    await expect(waitForState({ ...machine, refresh, pending: ["building"], target: ["ready"] })).rejects.toMatchObject({
      code: "UNEXPECTED_STATE",
      message: 'The object is in the unexpected state "broken"; expected one of building, ready',
    });
  });

  test("fails when the object stays missing", async ({ expect }) => {
    const options = { ...machine, refresh: refreshReturning(undefined), pending: [], target: ["ready"], missing: 2 } as const;
    await expect(waitForState(options)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("requires consecutive confirmations of a target", async ({ expect }) => {
    let reads = 0;
    const refresh = refreshReturning("ready", "building", "ready", "ready");
    await waitForState({ ...machine, refresh: () => (reads++, refresh()), pending: ["building"], target: ["ready"], confirmations: 2 });
    expect(reads).toBe(4);
  });

  test("reports the last state at its timeout, also when refresh hangs", async ({ expect }) => {
    const slow = waitForState({ ...machine, refresh: refreshReturning("building"), pending: ["building"], target: ["ready"], timeout: 30 });
    await expect(slow).rejects.toMatchObject({
      code: "WAIT_TIMED_OUT",
      message: "The object was not one of ready within 0.03 seconds; its last state was building",
    });
    const hanging = waitForState({
      ...machine,
      refresh: (signal) => setTimeout(5000, { status: "ready" } as const, { signal }),
      pending: [],
      target: ["ready"],
      timeout: 30,
    });
    await expect(hanging).rejects.toMatchObject({ code: "WAIT_TIMED_OUT" });
  });

  test("rejects with the signal's reason when the run is interrupted", async ({ expect }) => {
    const stopping = new AbortController();
    const waiting = waitForState({
      ...machine,
      refresh: refreshReturning("building"),
      pending: ["building"],
      target: ["ready"],
      signal: stopping.signal,
    });
    stopping.abort(new Error("the run was interrupted"));
    await expect(waiting).rejects.toThrow("the run was interrupted");
  });

  test("accepts only states that stateOf returns", () => {
    const options = { ...machine, refresh: refreshReturning("ready") };
    // @ts-expect-error "redy" is not a state of a machine
    void waitForState({ ...options, pending: ["building"], target: ["redy", "ready"] });
  });
});

test("waitUntilGone resolves when the object is not found", async ({ expect }) => {
  await waitUntilGone({ ...machine, refresh: refreshReturning("deleting", "deleting", undefined), pending: ["deleting"] });
  await expect(waitUntilGone({ ...machine, refresh: refreshReturning("ready"), pending: ["deleting"] })).rejects.toMatchObject({
    code: "UNEXPECTED_STATE",
  });
});

describe("retry", () => {
  class Busy extends Error {}
  const failing =
    (times: number, error: Error): ((attempt: number) => string) =>
    (attempt) => {
      if (attempt <= times) throw error;
      return `attempt ${attempt}`;
    };
  const when = (error: unknown): boolean => error instanceof Busy;

  test("retries after accepted errors, and logs each retry", async ({ expect }) => {
    const lines: unknown[] = [];
    const log = { debug: (message: string, fields: unknown) => void lines.push([message, fields]) } as unknown as Log;
    await expect(retry(failing(2, new Busy("busy")), { when, log, backOff: { first: 1 } })).resolves.toBe("attempt 3");
    expect(lines).toMatchObject([
      ["An attempt failed and is retried", { attempt: 1, error: "Error: busy" }],
      ["An attempt failed and is retried", { attempt: 2 }],
    ]);
  });

  test("throws other errors immediately, and the last error after the last attempt", async ({ expect }) => {
    const other = new Error("no");
    await expect(retry(failing(1, other), { when })).rejects.toBe(other);
    const busy = new Busy("busy");
    let attempts = 0;
    await expect(retry(() => (attempts++, failing(9, busy)(1)), { when, attempts: 3, backOff: { first: 1 } })).rejects.toBe(busy);
    expect(attempts).toBe(3);
  });

  test("waits as long as the remote system requests, but stops at an abort", async ({ expect }) => {
    const start = performance.now();
    await retry(failing(1, new Busy()), { when, waitFor: () => 40, backOff: { first: 5000 } });
    expect(performance.now() - start).toBeGreaterThanOrEqual(38);
    const signal = AbortSignal.timeout(20);
    await expect(retry(failing(9, new Busy()), { when, signal, waitFor: () => 5000 })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test.for([
    ["120", 120_000],
    ["Wed, 21 Oct 2026 07:28:10 GMT", 10_000],
    ["Wed, 21 Oct 2026 07:27:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
  ] as const)("Retry-After: %s", ([text, expected], { expect }) => {
    expect(retryAfter(new Headers({ "retry-after": text }), new Date("2026-10-21T07:28:00Z"))).toBe(expected);
  });
});

describe("a keyed mutex", () => {
  test("runs work for one key sequentially, and work for other keys concurrently", async ({ expect }) => {
    const mutex = createKeyedMutex();
    const events: string[] = [];
    const other = Promise.withResolvers<void>();
    const work = (name: string, until?: Promise<void>) => async (): Promise<string> => {
      events.push(`${name} begins`);
      await until;
      events.push(`${name} ends`);
      return name;
    };
    const all = Promise.all([
      mutex.run("k", work("a", other.promise)),
      mutex.run("k", work("b")),
      mutex.run("k", work("c")),
      mutex.run("other", work("d")).finally(other.resolve),
    ]);
    await expect(all).resolves.toEqual(["a", "b", "c", "d"]);
    expect(events.filter((event) => !event.startsWith("d"))).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(events.indexOf("d ends")).toBeLessThan(events.indexOf("a ends"));
  });

  test("continues after a failure and after an aborted wait", async ({ expect }) => {
    const mutex = createKeyedMutex();
    const events: string[] = [];
    const cancelled = Promise.withResolvers<void>();
    const failed = mutex.run("k", async () => {
      await cancelled.promise;
      throw new Error("failed");
    });
    const aborted = mutex.run("k", () => void events.push("aborted work ran"), AbortSignal.abort(new Error("cancelled")));
    const last = mutex.run("k", () => void events.push("last"));
    await expect(aborted).rejects.toThrow("cancelled");
    expect(events).toEqual([]);
    cancelled.resolve();
    await expect(failed).rejects.toThrow("failed");
    await last;
    expect(events).toEqual(["last"]);
  });
});
