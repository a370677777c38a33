// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  atLeast,
  atMost,
  between,
  eachElement,
  eachKey,
  matches,
  noneOf,
  oneOf,
  oneOfIgnoringCase,
  size,
  stringLength,
  uniqueElements,
  utf8Length,
  wholeNumber,
  type Validator,
} from "../validators/index.ts";

type Row = readonly [name: string, validator: Validator<never>, good: readonly unknown[], bad: readonly unknown[], sentence: string];

describe("validators", () => {
  test.for<Row>([
    ["stringLength", stringLength({ min: 1, max: 2 }), ["a", "🦊🦊"], ["", "abc", "🦊🦊🦊"], "must be 1 to 2 characters long"],
    ["stringLength with a minimum", stringLength({ min: 2 }), ["ab"], ["🦊"], "must be at least 2 characters long"],
    ["stringLength with an exact length", stringLength({ min: 1, max: 1 }), ["a"], [""], "must be exactly 1 character long"],
    ["utf8Length", utf8Length({ max: 2 }), ["é"], ["éa"], "must be at most 2 bytes long in UTF-8"],
    ["matches", matches(/^a/g), ["ab", "ab"], ["b"], "must match /^a/"],
    ["matches with an error text", matches(/^a/, "must begin with an a"), ["ab"], ["b"], "must begin with an a"],
    ["oneOf", oneOf(["a", "b"]), ["a"], ["c"], 'must be one of "a", "b"'],
    ["oneOf numbers", oneOf([1, 2]), [1], [3], "must be one of 1, 2"],
    ["noneOf", noneOf(["root"]), ["a"], ["root"], 'must be none of "root"'],
    ["oneOfIgnoringCase", oneOfIgnoringCase(["Debug"]), ["DEBUG"], ["x"], 'must be one of "Debug", in upper or lower case'],
    ["between", between(1, 4), [1, 4], [0, 4.5], "must be between 1 and 4"],
    ["between bigints", between(1n, 4n), [4n], [5n], "must be between 1 and 4"],
    ["atLeast", atLeast(1), [1], [0], "must be at least 1"],
    ["atMost", atMost(1), [1], [2], "must be at most 1"],
    ["wholeNumber", wholeNumber(), [1], [1.5], "must be a whole number"],
    ["size of a list", size({ min: 1, max: 2 }), [["a"]], [[], [1, 2, 3]], "must have 1 to 2 elements"],
    ["size of a map", size({ max: 1 }), [{ a: 1 }], [{ a: 1, b: 2 }], "must have at most 1 element"],
    ["uniqueElements", uniqueElements(), [["a", "b"]], [["a", "a"]], "must not contain an element twice"],
    [
      "uniqueElements of objects",
      uniqueElements(),
      [
        [{ a: 1n }, { a: 2n }, { a: "1" }],
        [["a"], []],
      ],
      [[{ a: [1n] }, { a: [1n] }]],
      "must not contain an element twice",
    ],
    ["eachElement", eachElement(stringLength({ max: 1 })), [["a", null]], [["a", "bc"]], "element 1 must be at most 1 character long"],
    ["eachKey", eachKey(matches(/^[a-z]$/)), [{ a: 1 }], [{ A: 1 }], 'key "A" must match /^[a-z]$/'],
  ])("%s", ([, validator, good, bad, sentence], { expect }) => {
    for (const value of good) expect(validator(value as never), `good: ${JSON.stringify(value, bigints)}`).toBeUndefined();
    for (const value of bad) expect(validator(value as never), `bad: ${JSON.stringify(value, bigints)}`).toBe(sentence);
    expect(validator.description).toMatch(/must/);
  });
});

const bigints = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
