// SPDX-License-Identifier: Apache-2.0
import { list, object, of, string, number } from "@tenon/cty";
import { describe, test } from "vitest";
import { HiddenTexts, textsOf } from "./hidden-texts.ts";

describe("hidden texts", () => {
  test("are found as they are, in JSON, in URLs, as numbers, and in the names of members", ({ expect }) => {
    const hidden = new HiddenTexts();
    hidden.addTexts(() => ['say "no"', "a b&c", "90210"]);
    expect(hidden.hide(`${JSON.stringify({ a: 'say "no"' })} a%20b%26c a b&c`)).toBe(
      '{"a":"(sensitive value)"} (sensitive value) (sensitive value)',
    );
    expect(hidden.hideIn({ "a b&c": [90210, 7, new Map([["k", "90210!"]])], error: new Error("a b&c") })).toEqual({
      "(sensitive value)": ["(sensitive value)", 7, [["k", "(sensitive value)!"]]],
      error: "(sensitive value)",
    });
  });

  test("are asked for late, those of the parent too, and short ones are left", ({ expect }) => {
    const parent = new HiddenTexts();
    const own = new HiddenTexts(parent);
    const secrets: string[] = [];
    own.addTexts(() => secrets);
    secrets.push("late", "abc");
    expect(own.hide("late abc parent")).toBe("(sensitive value) abc parent");
    parent.addTexts(() => ["parent"]);
    expect(own.hide("late abc parent")).toBe("(sensitive value) abc (sensitive value)");
  });

  test("of a value are its strings and numbers at any depth", ({ expect }) => {
    const value = of(object({ a: string, b: list(object({ c: number, d: string })) }), { a: "x", b: [{ c: 1.5, d: null }] });
    expect([...textsOf(value.payload)]).toEqual(["x", "1.5"]);
  });
});
