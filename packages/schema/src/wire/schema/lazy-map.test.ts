// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { LazyMap } from "./lazy-map.ts";

function counted(): { map: LazyMap<string>; decoded: string[] } {
  const decoded: string[] = [];
  const encoded = new Map(["a", "b", "c"].map((key, index) => [key, Uint8Array.of(index)]));
  return { map: new LazyMap(encoded, (bytes, key) => (decoded.push(key), `${key}${bytes[0]}`)), decoded };
}

test("keys, has and size decode no value", () => {
  const { map, decoded } = counted();
  expect([map.size, map.has("a"), map.has("z"), [...map.keys()], map.get("z")]).toEqual([3, true, false, ["a", "b", "c"], undefined]);
  expect(decoded).toEqual([]);
});

test("get decodes a value once", () => {
  const { map, decoded } = counted();
  expect([map.get("b"), map.get("b")]).toEqual(["b1", "b1"]);
  expect(decoded).toEqual(["b"]);
});

test("iteration decodes only the values that it reaches", () => {
  const { map, decoded } = counted();
  for (const [key, value] of map) {
    expect(value).toBe(`${key}${decoded.length - 1}`);
    if (key === "b") break;
  }
  expect(decoded).toEqual(["a", "b"]);
  expect([...map.values()]).toEqual(["a0", "b1", "c2"]);
  const seen: unknown[] = [];
  map.forEach((value, key, whole) => seen.push([key, value, whole === map]));
  expect(seen).toEqual([
    ["a", "a0", true],
    ["b", "b1", true],
    ["c", "c2", true],
  ]);
  expect(decoded).toEqual(["a", "b", "c"]);
});
