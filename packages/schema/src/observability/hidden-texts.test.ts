// SPDX-License-Identifier: Apache-2.0
import { list, object, of, string, number } from "@tenon/cty";
import { describe, test } from "vitest";
import { HiddenTexts, textsOf } from "./hidden-texts.ts";

describe("HiddenTexts", () => {
  test("masks secrets in plain text, in JSON, in URLs, as numbers, and in the names of members", ({ expect }) => {
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

  test.for(["hunter2-hunter2", "sëcret", "abcd"])("masks the base64 encodings of %s", (secret, { expect }) => {
    const hidden = new HiddenTexts();
    hidden.addTexts(() => [secret]);
    for (const encoding of ["base64", "base64url"] as const) {
      expect(hidden.hide(`token ${Buffer.from(secret).toString(encoding)} was refused`)).toMatch(
        /^token \(sensitive value\)=* was refused$/,
      );
    }
  });

  test("masks a secret at any offset inside a longer base64 text", ({ expect }) => {
    const hidden = new HiddenTexts();
    const secret = "hunter2-hunter2";
    hidden.addTexts(() => [secret]);
    for (const before of ["", "u", "us", "use", "user:"]) {
      for (const after of ["", "x", "xy", "xyz"]) {
        const masked = hidden.hide(Buffer.from(before + secret + after).toString("base64"));
        expect(masked).toContain("(sensitive value)");
        expect(Buffer.from(masked.replace("(sensitive value)", ""), "base64").toString()).not.toContain("unter");
      }
    }
  });

  test("requests secrets when it masks a text, includes those of its parent, and does not mask short ones", ({ expect }) => {
    const parent = new HiddenTexts();
    const own = new HiddenTexts(parent);
    const secrets: string[] = [];
    own.addTexts(() => secrets);
    secrets.push("late", "abc");
    expect(own.hide("late abc parent")).toBe("(sensitive value) abc parent");
    parent.addTexts(() => ["parent"]);
    expect(own.hide("late abc parent")).toBe("(sensitive value) abc (sensitive value)");
  });

  test("textsOf yields all strings and numbers in a value, at any depth", ({ expect }) => {
    const value = of(object({ a: string, b: list(object({ c: number, d: string })) }), { a: "x", b: [{ c: 1.5, d: null }] });
    expect([...textsOf(value.payload)]).toEqual(["x", "1.5"]);
  });
});
