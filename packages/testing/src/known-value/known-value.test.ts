// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parseJson } from "../documents/json.ts";
import { listExact, mapSizeExact, objectPartial, setExact, setPartial, tuplePartial } from "./collection.ts";
import { type Expected, knownValueOf } from "./known-value.ts";
import { boolFunc, listFunc, mapFunc, numberFunc, objectFunc, setFunc, tupleFunc } from "./predicate.ts";
import { float32Exact, float64Exact, int64Exact, notNull, nullExact, stringRegexp } from "./scalar.ts";

const accepts = (expected: Expected, json: string): boolean => knownValueOf(expected).mismatches(parseJson(json)).length === 0;

describe("known values", () => {
  test.for<[name: string, expected: Expected, accepted: string, rejected: string]>([
    ["data", { a: [1, "x", null, true] }, '{"a":[1,"x",null,true]}', '{"a":[1,"x",null,false]}'],
    ["an empty list", [], "[]", "null"],
    ["a bigint", 12345678901234567890n, "12345678901234567890", "12345678901234567891"],
    ["int64Exact of a small bigint", int64Exact(7n), "7", "8"],
    ["float32Exact", float32Exact(0.1), "0.10000000149011612", "0.11"],
    ["float64Exact of a number with more digits", float64Exact(0.1), "0.1000000000000000055511151231257827", "0.2"],
    ["stringRegexp", stringRegexp(/^b/g), '"bc"', '"cb"'],
    ["numberFunc", numberFunc((value) => value > 2), "3", "2"],
    ["boolFunc", boolFunc((value) => value), "true", "false"],
    ["listFunc", listFunc((elements) => elements.length > 1), "[1,2]", "[1]"],
    ["setFunc", setFunc((elements) => elements.includes("a")), '["b","a"]', '{"a":"a"}'],
    ["tupleFunc", tupleFunc(([first]) => first === 1), '[1,"a"]', '["a",1]'],
    ["mapFunc", mapFunc((elements) => "a" in elements), '{"a":1}', '["a"]'],
    ["objectFunc", objectFunc(({ a, b }) => a === b), '{"a":1,"b":1}', '{"a":1,"b":2}'],
    ["nullExact", nullExact(), "null", "0"],
    ["nullExact in an object", objectPartial({ a: nullExact() }), '{"a":null}', "{}"],
    ["notNull", notNull(), "0", "null"],
    ["listExact", listExact([stringRegexp(/a/)]), '["a"]', '["a","a"]'],
    ["tuplePartial", tuplePartial({ 1: true }), '["a",true]', "[true]"],
    ["setExact in another order", setExact(["a", "b"]), '["b","a"]', '["a","a"]'],
    ["setExact whose elements accept several", setExact([stringRegexp(/./), "a"]), '["a","b"]', '["b","c"]'],
    ["setPartial", setPartial([{ k: 1 }]), '[{"k":2},{"k":1}]', '[{"k":1,"l":2}]'],
    ["mapSizeExact", mapSizeExact(1), '{"a":1}', "[1]"],
    ["objectPartial", objectPartial({ a: objectPartial({ b: 1 }) }), '{"a":{"b":1,"c":2},"d":3}', '{"a":{"b":2}}'],
  ])("%s", ([, expected, accepted, rejected], { expect }) => {
    expect(accepts(expected, accepted)).toBe(true);
    expect(accepts(expected, rejected)).toBe(false);
  });

  test("name each place that differs", ({ expect }) => {
    const found = knownValueOf({ a: [1, 2], b: "x" }).mismatches({ a: [1, 3, 4], c: null });
    expect(found.map(({ path, expected, actual }) => [path.join("."), expected, actual])).toEqual([
      ["a.1", "2", 3],
      ["a.2", "no element", 4],
      ["b", '"x"', undefined],
      ["c", "no such name", null],
    ]);
  });
});
