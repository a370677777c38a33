// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { CallQueue } from "./call-queue.ts";

describe("CallQueue", () => {
  test("starts calls up to its limit, and the others in order as calls end", ({ expect }) => {
    const queue = new CallQueue(2);
    const started: number[] = [];
    for (const call of [1, 2, 3, 4]) queue.enter(() => started.push(call));
    expect(started).toEqual([1, 2]);
    queue.leave();
    expect(started).toEqual([1, 2, 3]);
    queue.leave();
    queue.leave();
    queue.leave();
    queue.enter(() => started.push(5));
    expect(started).toEqual([1, 2, 3, 4, 5]);
  });

  test("skips a call that was cancelled while it waited", ({ expect }) => {
    const queue = new CallQueue(1);
    const started: number[] = [];
    queue.enter(() => started.push(1));
    const leave = queue.enter(() => started.push(2));
    queue.enter(() => started.push(3));
    leave();
    queue.leave();
    leave();
    expect(started).toEqual([1, 3]);
  });
});
