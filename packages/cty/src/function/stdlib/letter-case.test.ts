// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { test } from "vitest";
import { lowerCase, titleCharacter, trimSpace, upperCase } from "./letter-case.ts";

test("every character maps to one character, and mapping it again changes nothing", ({ expect }) => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      for (const change of [upperCase, lowerCase]) {
        const changed = change(text);
        expect([...changed]).toHaveLength([...text].length);
        expect(change(changed)).toBe(changed);
      }
    }),
  );
});

test("letters that JavaScript maps to several letters, or by context, map to one letter", ({ expect }) => {
  expect(upperCase("ßŉǰΐﬀ")).toBe("ßŉǰΐﬀ");
  expect(upperCase("ᾀᾈᾳᾼῃῳ")).toBe("ᾈᾈᾼᾼῌῼ");
  expect(lowerCase("İΑΣ")).toBe("iας".replace("ς", "σ"));
  expect(["ǆ", "Ǆ", "ǌ", "ǳ", "ა", "ß", "a"].map(titleCharacter)).toEqual(["ǅ", "ǅ", "ǋ", "ǲ", "ა", "ß", "A"]);
});

test("letters newer than Unicode 15.0 have no case", ({ expect }) => {
  expect(upperCase("\u019b\u0264")).toBe("\u019b\u0264");
  expect(lowerCase("\ua7cb\u{10d50}")).toBe("\ua7cb\u{10d50}");
});

test("trimSpace removes Unicode white space, and no other characters that JavaScript trims", ({ expect }) => {
  expect(trimSpace("\u0085\u00a0a\u3000")).toBe("a");
  expect(trimSpace("\ufeffa")).toBe("\ufeffa");
});
