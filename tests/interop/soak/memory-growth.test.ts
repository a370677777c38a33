// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { growthOf } from "./memory-growth.ts";

test("memory that grows only while caches fill is flat, whatever single samples are", ({ expect }) => {
  const filling = Array.from({ length: 10 }, (_, index) => 20 + 8 * index);
  const steady = Array.from({ length: 30 }, (_, index) => 100 + (index % 3) - 1 + (index === 25 ? 80 : 0));
  expect(Math.abs(growthOf([...filling, ...steady]))).toBeLessThan(0.02);
});

test("memory that grows to the end is not flat", ({ expect }) => {
  const leaking = Array.from({ length: 40 }, (_, index) => 100 + 0.5 * index);
  expect(growthOf(leaking)).toBeGreaterThan(0.05);
});

test("needs a sample of each quarter", ({ expect }) => {
  expect(() => growthOf([1, 2, 3])).toThrow(RangeError);
});
