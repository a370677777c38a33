// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, test } from "vitest";
import { TurnoverMap, TurnoverSet } from "./turnover.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;

/** An element that is large enough for its retention to show. */
interface Element {
  readonly key: number;
  readonly data: readonly number[];
}

/** Adds and deletes elements, ten of which are present at any time. Returns the bytes that minor garbage collections leave. */
function leftAfter(turns: number, add: (element: Element) => void, remove: (element: Element) => void): number {
  const present: Element[] = [];
  const turn = (key: number): void => {
    const element = { key, data: Array.from({ length: 100 }, () => key) };
    add(element);
    present.push(element);
    if (present.length > 10) remove(present.shift()!);
  };
  for (let key = 0; key < 100; key++) turn(key);
  // Moves the collection into the old generation.
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let key = 100; key < turns; key++) {
    turn(key);
    if (key % 1000 === 0) collect({ type: "minor" });
  }
  collect({ type: "minor" });
  return process.memoryUsage().heapUsed - before;
}

describe("a collection whose elements come and go", () => {
  test("holds no deleted elements", ({ expect }) => {
    const set = new TurnoverSet<Element>();
    expect(
      leftAfter(
        20_000,
        (element) => set.add(element),
        (element) => set.delete(element),
      ),
    ).toBeLessThan(2_000_000);
    const map = new TurnoverMap<number, Element>();
    expect(
      leftAfter(
        20_000,
        (element) => map.set(element.key, element),
        ({ key }) => map.delete(key),
      ),
    ).toBeLessThan(2_000_000);
    // The reason for these classes: V8's own collections hold more than half of the 16 MB.
    const plain = new Set<Element>();
    expect(
      leftAfter(
        20_000,
        (element) => plain.add(element),
        (element) => plain.delete(element),
      ),
    ).toBeGreaterThan(8_000_000);
  });

  test("contains what a Set and a Map contain, in the same order", ({ expect }) => {
    const [set, plainSet] = [new TurnoverSet<number>(), new Set<number>()];
    const [map, plainMap] = [new TurnoverMap<number, string>(), new Map<number, string>()];
    for (let step = 0; step < 2000; step++) {
      const key = (step * 7919) % 101;
      if ((step * 31) % 3 === 0) {
        expect(set.delete(key)).toBe(plainSet.delete(key));
        expect(map.delete(key)).toBe(plainMap.delete(key));
      } else {
        set.add(key);
        plainSet.add(key);
        map.set(key, String(step));
        plainMap.set(key, String(step));
      }
      expect(map.get(key)).toBe(plainMap.get(key));
      expect([...set]).toEqual([...plainSet]);
      expect([...map.values()]).toEqual([...plainMap.values()]);
      expect([set.size, map.size]).toEqual([plainSet.size, plainMap.size]);
    }
    set.clear();
    expect([set.size, [...set]]).toEqual([0, []]);
  });
});
