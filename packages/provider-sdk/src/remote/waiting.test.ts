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

/** Answers one after the other, and the last one for ever. */
const answering = (...statuses: readonly (Machine["status"] | undefined)[]): (() => Machine | undefined) => {
  let at = 0;
  return () => {
    const status = statuses[Math.min(at++, statuses.length - 1)];
    return status === undefined ? undefined : { status };
  };
};

test("waits grow by the factor up to the longest, and are shortened by a half at most", ({ expect }) => {
  const pause = waits({ first: 100, factor: 3, longest: 500 });
  for (const longest of [100, 300, 500, 500]) {
    const wait = pause.next().value;
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
});

describe("waitForState", () => {
  test("answers what has come to a target", async ({ expect }) => {
    const refresh = answering(undefined, "building", "building", "ready");
    await expect(waitForState({ ...machine, refresh, pending: ["building"], target: ["ready"] })).resolves.toEqual({ status: "ready" });
  });

  test("a state on neither list ends it", async ({ expect }) => {
    const refresh = answering("building", "broken");
    await expect(waitForState({ ...machine, refresh, pending: ["building"], target: ["ready"] })).rejects.toMatchObject({
      code: "UNEXPECTED_STATE",
      message: 'It is in state "broken", and was expected to be in one of building, ready',
    });
  });

  test("what stays missing is not found", async ({ expect }) => {
    const options = { ...machine, refresh: answering(undefined), pending: [], target: ["ready"], missing: 2 } as const;
    await expect(waitForState(options)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a target has to be confirmed in a row", async ({ expect }) => {
    let asked = 0;
    const answers = answering("ready", "building", "ready", "ready");
    await waitForState({ ...machine, refresh: () => (asked++, answers()), pending: ["building"], target: ["ready"], confirmations: 2 });
    expect(asked).toBe(4);
  });

  test("its time limit names the last state, also where refresh hangs", async ({ expect }) => {
    const slow = waitForState({ ...machine, refresh: answering("building"), pending: ["building"], target: ["ready"], timeout: 30 });
    await expect(slow).rejects.toMatchObject({
      code: "WAIT_TIMED_OUT",
      message: "It was not one of ready within 0.03 seconds; it was last building",
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

  test("an interrupted run ends it with the run's own reason", async ({ expect }) => {
    const stopping = new AbortController();
    const waiting = waitForState({
      ...machine,
      refresh: answering("building"),
      pending: ["building"],
      target: ["ready"],
      signal: stopping.signal,
    });
    stopping.abort(new Error("the run was interrupted"));
    await expect(waiting).rejects.toThrow("the run was interrupted");
  });

  test("states are what stateOf answers, and no other text", () => {
    const options = { ...machine, refresh: answering("ready") };
    // @ts-expect-error no machine is ever "redy"
    void waitForState({ ...options, pending: ["building"], target: ["redy", "ready"] });
  });
});

test("waitUntilGone is over when nothing is found", async ({ expect }) => {
  await waitUntilGone({ ...machine, refresh: answering("deleting", "deleting", undefined), pending: ["deleting"] });
  await expect(waitUntilGone({ ...machine, refresh: answering("ready"), pending: ["deleting"] })).rejects.toMatchObject({
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

  test("does it again for chosen errors, and says so", async ({ expect }) => {
    const lines: unknown[] = [];
    const log = { debug: (message: string, fields: unknown) => void lines.push([message, fields]) } as unknown as Log;
    await expect(retry(failing(2, new Busy("busy")), { when, log, backOff: { first: 1 } })).resolves.toBe("attempt 3");
    expect(lines).toMatchObject([
      ["An attempt failed, and is made again", { attempt: 1, error: "Error: busy" }],
      ["An attempt failed, and is made again", { attempt: 2 }],
    ]);
  });

  test("throws others at once, and the last one when attempts run out", async ({ expect }) => {
    const other = new Error("no");
    await expect(retry(failing(1, other), { when })).rejects.toBe(other);
    const busy = new Busy("busy");
    let attempts = 0;
    await expect(retry(() => (attempts++, failing(9, busy)(1)), { when, attempts: 3, backOff: { first: 1 } })).rejects.toBe(busy);
    expect(attempts).toBe(3);
  });

  test("waits as long as the remote system asks, and not past an abort", async ({ expect }) => {
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
  test("runs one at a time for a key, in order, and others beside it", async ({ expect }) => {
    const mutex = createKeyedMutex();
    const events: string[] = [];
    const work = (name: string, milliseconds: number) => async (): Promise<string> => {
      events.push(`${name} begins`);
      await setTimeout(milliseconds);
      events.push(`${name} ends`);
      return name;
    };
    const all = Promise.all([
      mutex.run("k", work("a", 20)),
      mutex.run("k", work("b", 1)),
      mutex.run("k", work("c", 1)),
      mutex.run("other", work("d", 1)),
    ]);
    await expect(all).resolves.toEqual(["a", "b", "c", "d"]);
    expect(events.filter((event) => !event.startsWith("d"))).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(events.indexOf("d ends")).toBeLessThan(events.indexOf("a ends"));
  });

  test("goes on after a failure, and after one that gave up", async ({ expect }) => {
    const mutex = createKeyedMutex();
    const events: string[] = [];
    const failed = mutex.run("k", async () => {
      await setTimeout(20);
      throw new Error("failed");
    });
    const gaveUp = mutex.run("k", () => void events.push("gave up ran"), AbortSignal.abort(new Error("enough")));
    const last = mutex.run("k", () => void events.push("last"));
    await expect(gaveUp).rejects.toThrow("enough");
    expect(events).toEqual([]);
    await expect(failed).rejects.toThrow("failed");
    await last;
    expect(events).toEqual(["last"]);
  });
});
