// SPDX-License-Identifier: Apache-2.0
// Go's normal form C. Where it differs from Unicode's, the expected results are go-cty's.
import { describe, test } from "vitest";
import { normalizeString } from "./normalize.ts";
import { safeKnownPrefix } from "./prefix.ts";

const joiner = "\u034f";

describe("normalizeString", () => {
  test.for([
    ["e\u0301", "\u00e9"],
    ["\u1100\u1161\u11a8", "\uac01"],
    ["\u0958", "\u0915\u093c"],
    ["a\ud800b", "a\ufffdb"],
  ])("%j is %j", ([text, normal], { expect }) => {
    expect(normalizeString(text!)).toBe(normal);
  });

  test("breaks runs of more than 30 combining characters of any kind", ({ expect }) => {
    expect(normalizeString(`a${"\u0316".repeat(30)}`)).toBe(`a${"\u0316".repeat(30)}`);
    expect(normalizeString(`a${"\u0316".repeat(31)}`)).toBe(`a${"\u0316".repeat(30)}${joiner}\u0316`);
    expect(normalizeString(`a${"\uff9e".repeat(40)}`)).toBe(`a${"\uff9e".repeat(30)}${joiner}${"\uff9e".repeat(10)}`);
    expect(normalizeString(`¨${"\u0316".repeat(30)}`)).toBe(`¨${"\u0316".repeat(29)}${joiner}\u0316`);
  });

  test("composes beyond a vowel sign, as Go does", ({ expect }) => {
    expect(normalizeString("a\u0dcf\u0316\u0300")).toBe("\u00e0\u0dcf\u0316");
    expect(normalizeString("e\uff9f\u0356\u0302")).toBe("\u00ea\uff9f\u0356");
    expect(normalizeString("a\u0dcf\u0300")).toBe("a\u0dcf\u0300");
  });

  test("does not change characters newer than Unicode 15.0", ({ expect }) => {
    expect(normalizeString("e\u0897\u0301")).toBe("e\u0897\u0301");
  });
});

describe("safeKnownPrefix", () => {
  test("removes the characters that a following character may change", ({ expect }) => {
    expect(safeKnownPrefix("foo")).toBe("fo");
    expect(safeKnownPrefix("foo-")).toBe("foo-");
    expect(safeKnownPrefix("aé")).toBe("a");
    expect(safeKnownPrefix("ab\uff9e\u0302")).toBe("a");
  });
});
