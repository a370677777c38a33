// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { test } from "vitest";
import { LeaseObserver } from "./lease-observer.ts";
import { leaseTimes, type Lease } from "./lease-record.ts";
import { fairShare, shardOf } from "./shard.ts";

test("the shares of all members add up to all shards, and differ by at most one", ({ expect }) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 64 }), (names, shards) => {
      const shares = names.map((name) => fairShare(name, new Set(names), shards));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(shards);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
    { seed: 11 },
  );
});

test("UIDs are distributed evenly over shards", ({ expect }) => {
  const counts = Array.from({ length: 8 }, () => 0);
  for (let index = 0; index < 8_000; index++) counts[shardOf(randomUUID(), 8)]! += 1;
  // The standard deviation is 30.
  expect(Math.min(...counts)).toBeGreaterThan(800);
});

test("a UID always has the same shard", ({ expect }) => {
  // Replicas of two versions must agree.
  expect(shardOf("0f0f7c9e-4b61-4a4c-9c1e-2f6f8f0c9c11", 16)).toBe(shardOf("0f0f7c9e-4b61-4a4c-9c1e-2f6f8f0c9c11", 16));
  expect(shardOf("a", 1_000_000)).toBe(0xe40c292c % 1_000_000);
});

test("a lease expires by the clock of the observer, whatever its times are", ({ expect }) => {
  let now = 0;
  const observer = new LeaseObserver(15_000, () => now);
  const lease = (version: string, renewTime: string, holderIdentity = "other"): Lease => ({
    metadata: { name: "l", namespace: "n", uid: "u", resourceVersion: version },
    spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 },
  });
  const past = lease("1", "1999-01-01T00:00:00.000000Z");
  observer.observe(past);
  expect(observer.isFree(past)).toBe(false);
  now = 15_000;
  expect(observer.isFree(past)).toBe(false);
  const future = lease("2", "2999-01-01T00:00:00.000000Z");
  observer.observe(future);
  now = 30_001;
  expect(observer.isFree(future)).toBe(true);
  expect(observer.isFree(lease("2", "2999-01-01T00:00:00.000000Z", ""))).toBe(true);
});

test("leaseTimes rejects times that contradict each other", ({ expect }) => {
  expect(() => leaseTimes({ durationMs: 10_000 })).toThrow(TypeError);
  expect(() => leaseTimes({ retryMs: 10_000 })).toThrow(TypeError);
  expect(leaseTimes()).toEqual({ durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 });
});
