// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { test } from "vitest";
import { compareCodePoints } from "../text/code-point-order.ts";
import { decode, encode } from "../msgpack/index.ts";
import { largeMap, OrderedMap } from "./ordered-map.ts";
import { equals, list, map, number, of, same, toJs, type Payload } from "../index.ts";

test("has the reading methods of Map", ({ expect }) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), fc.string({ unit: "binary" }), (drawn, other) => {
      const entries = drawn.sort(compareCodePoints).map((key, index) => [key, index] as const);
      const plain = new Map(entries);
      const ordered = new OrderedMap([...plain.keys()], [...plain.values()]);
      expect(ordered.size).toBe(plain.size);
      for (const key of [...drawn, other]) {
        expect(ordered.get(key)).toBe(plain.get(key));
        expect(ordered.has(key)).toBe(plain.has(key));
      }
      expect([...ordered]).toEqual([...plain]);
      expect([...ordered.entries()]).toEqual([...plain]);
      expect([...ordered.keys()]).toEqual([...plain.keys()]);
      expect([...ordered.values()]).toEqual([...plain.values()]);
      const visited: unknown[] = [];
      for (const [key, value] of new Map(ordered)) visited.push([key, value]);
      expect(visited).toEqual(entries);
      const seen: unknown[] = [];
      // eslint-disable-next-line unicorn/no-array-for-each
      ordered.forEach((value, key, whole) => seen.push([key, value, whole === ordered]));
      expect(seen).toEqual(entries.map(([key, value]) => [key, value, true]));
    }),
  );
});

test("large maps are decoded from msgpack like small ones", ({ expect }) => {
  const type = map(list(number));
  const data = Object.fromEntries(Array.from({ length: 3 * largeMap }, (_, index) => [`k${index}`, [index]]));
  const value = of(type, data);
  const bytes = encode(value, type);
  const decoded = decode(bytes, type);
  expect(decoded.payload).toBeInstanceOf(OrderedMap);
  expect(same(decoded, value)).toBe(true);
  expect(same(value, decoded)).toBe(true);
  expect(equals(decoded, value).payload).toBe(true);
  expect(toJs(decoded)).toEqual(toJs(value));
  expect(encode(decoded, type)).toEqual(bytes);
});

test("keys are sorted, and duplicate keys are removed", ({ expect }) => {
  const keys = Array.from({ length: largeMap }, (_, index) => `k${String(index).padStart(4, "0")}`);
  const swapped = [keys[1]!, keys[0]!, ...keys.slice(2, -1), keys[0]!];
  const bytes = Buffer.concat([
    Buffer.from([0xde, largeMap >> 8, largeMap & 0xff]),
    ...swapped.map((key, index) =>
      Buffer.concat([Buffer.from([0xa0 | key.length]), Buffer.from(key), Buffer.from([0xcd, index >> 8, index & 0xff])]),
    ),
  ]);
  const payload = decode(bytes, map(number)).payload as ReadonlyMap<string, Payload>;
  expect([...payload.keys()]).toEqual(keys.slice(0, -1));
  expect(payload.get(keys[0]!)).toBe(largeMap - 1);
  expect(same(decode(bytes, map(number)), of(map(number), Object.fromEntries(payload) as never))).toBe(true);
});
