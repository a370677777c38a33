// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { types } from "../../test/arbitrary.ts";
import { bool, dynamic, list, map, number, object, string, tuple, type Type } from "../index.ts";
import { compareTypes, sortTypes } from "./compare-types.ts";

/** The order by the definition: a breadth-first walk over all positions, every pair compared. */
function sortEveryPair(types: readonly Type[]): readonly Type[] {
  const above = types.map((type) => types.filter((other) => compareTypes(other, type) < 0).length);
  const queue = [...types.keys()].filter((position) => above[position] === 0);
  for (const position of queue) {
    for (const [next, type] of types.entries()) {
      if (compareTypes(types[position]!, type) >= 0) continue;
      above[next]! -= 1;
      if (above[next] === 0) queue.push(next);
    }
  }
  return [...new Set(queue.map((position) => types[position]!))];
}

describe("sortTypes", () => {
  test("puts more general types first", ({ expect }) => {
    expect(sortTypes([number, string, bool])).toEqual([string, number, bool]);
    expect(sortTypes([object({ a: string }), map(string), tuple(string), list(string)])).toEqual([
      map(string),
      list(string),
      object({ a: string }),
      tuple(string),
    ]);
  });

  test("returns the order of go-cty's walk over all pairs", ({ expect }) => {
    const few: readonly Type[] = [string, number, bool, dynamic, list(string), list(number), tuple(string), tuple(number), map(string)];
    const lists = fc.array(fc.oneof(fc.constantFrom(...few), types), { maxLength: 12 });
    fc.assert(
      fc.property(lists, (some) => {
        expect(sortTypes(some)).toEqual(sortEveryPair(some));
      }),
    );
  });

  test("compares the distinct types of a long list once", ({ expect }) => {
    const many = Array.from({ length: 200_000 }, (_, index) => (index % 2 === 0 ? string : number));
    expect(sortTypes(many)).toEqual([string, number]);
  });
});
