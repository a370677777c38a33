// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, nullOf, number, object, of, set, string, unknown } from "@tenon/cty";
import { expect, test } from "vitest";
import { equalsInLegacySdk } from "./legacy-equality.ts";

const route = object({ to: string, weight: number, isDefault: bool });
const routes = object({ list: list(route), set: set(route), map: map(route) });
const one = { to: "", weight: 0, isDefault: false };
const nulls = { to: null, weight: null, isDefault: null };

test("null and zero values are equal at every depth", () => {
  for (const type of [string, number, bool, list(string), set(string), map(string)] as const) {
    const empty = type.kind === "string" ? "" : type.kind === "number" ? 0 : type.kind === "bool" ? false : type.kind === "map" ? {} : [];
    expect([type.kind, equalsInLegacySdk(nullOf(type), of(type, empty as never))]).toEqual([type.kind, true]);
  }
  const [zeros, withNulls] = [one, nulls].map((each) => of(routes, { list: [each], set: [each], map: { a: each } }));
  expect(equalsInLegacySdk(zeros!, withNulls!)).toBe(true);
});

test("other values differ", () => {
  const both = (a: object, b: object): boolean => equalsInLegacySdk(of(routes, a as never), of(routes, b as never));
  const rest = { set: [], map: {} };
  expect(both({ ...rest, list: [one] }, { ...rest, list: [] })).toBe(false);
  expect(both({ ...rest, list: [{ ...one, to: "a" }] }, { ...rest, list: [nulls] })).toBe(false);
  expect(both({ ...rest, list: [], map: { a: one } }, { ...rest, list: [], map: { b: nulls } })).toBe(false);
  const sets = (...all: readonly object[]): object => ({ list: [], map: {}, set: all });
  expect(both(sets({ ...one, to: "a" }, one), sets(nulls, { ...nulls, to: "a" }))).toBe(true);
  expect(both(sets({ ...one, to: "a" }, one), sets({ ...nulls, to: "b" }, nulls))).toBe(false);
  expect(equalsInLegacySdk(unknown(string), of(string, ""))).toBe(false);
});
