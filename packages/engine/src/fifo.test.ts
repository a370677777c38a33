// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { Fifo } from "./fifo.ts";

describe("a queue", () => {
  test("returns its entries in the order in which they were added", ({ expect }) => {
    const queue = new Fifo<number>();
    const taken: (number | undefined)[] = [];
    for (let number = 0; number < 100; number++) {
      queue.add(number);
      if (number % 3 === 0) taken.push(queue.take());
      expect(queue.size).toBe(number + 1 - taken.length);
    }
    while (queue.size > 0) taken.push(queue.take());
    expect(taken).toEqual(Array.from({ length: 100 }, (_, number) => number));
    expect(queue.take()).toBeUndefined();
    expect(queue.size).toBe(0);
  });
});
