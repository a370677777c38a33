// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { equalJson, parseJson, type Json } from "./json.ts";
import { valueAt } from "./value-path.ts";

describe("equalJson", () => {
  test.for<[string, Json, boolean]>([
    ["1000000000000000000000", 1e21, true],
    ["0.00000000000000001", 1e-17, true],
    ["1.00000000000000000", 1, true],
    ["-0.0", 0, true],
    ["-25e1", -250, true],
    ["9007199254740993", 9007199254740992, false],
    ["-1", 1, false],
    ["1", NaN, false],
    ["1", "1", false],
    ['"1"', 1, false],
    ['{"a":1}', { constructor: 1 } as unknown as Json, false],
  ])("compares %s with %j by value", ([text, value, expected], { expect }) => {
    expect(equalJson(parseJson(text), value)).toBe(expected);
    expect(equalJson(value, parseJson(text))).toBe(expected);
  });
});

test("valueAt finds only names of the document", ({ expect }) => {
  expect(valueAt(parseJson('{"labels":{}}'), ["labels", "constructor"])).toBeUndefined();
});
