// SPDX-License-Identifier: Apache-2.0
import { getEventListeners, once } from "node:events";
import { test } from "vitest";
import { LimitedSignal } from "./limited-signal.ts";

test("a limited signal is aborted with the first of its sources, and with its reason", ({ expect }) => {
  const [first, second] = [new AbortController(), new AbortController()];
  using limited = new LimitedSignal(60_000, [first.signal, second.signal]);
  expect(limited.signal.aborted).toBe(false);
  second.abort("lost");
  first.abort("ended");
  expect(limited.signal.reason).toBe("lost");
});

test("a limited signal is aborted at once by a source that is aborted already", ({ expect }) => {
  using limited = new LimitedSignal(60_000, [AbortSignal.abort("ended")]);
  expect(limited.signal.reason).toBe("ended");
});

test("a limited signal is aborted at its time limit with a TimeoutError", async ({ expect }) => {
  using limited = new LimitedSignal(1, []);
  // The timer does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  await once(limited.signal, "abort");
  clearInterval(alive);
  expect(limited.signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a limited signal that was disposed of leaves no listener at its sources, and is not aborted any more", ({ expect }) => {
  const source = new AbortController();
  const limited = new LimitedSignal(60_000, [source.signal]);
  expect(getEventListeners(source.signal, "abort")).toHaveLength(1);
  limited[Symbol.dispose]();
  expect(getEventListeners(source.signal, "abort")).toHaveLength(0);
  source.abort();
  expect(limited.signal.aborted).toBe(false);
});

test("a time limit that no timer can have does not end the work at once", async ({ expect }) => {
  using limited = new LimitedSignal(Number.MAX_SAFE_INTEGER, []);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(limited.signal.aborted).toBe(false);
});
