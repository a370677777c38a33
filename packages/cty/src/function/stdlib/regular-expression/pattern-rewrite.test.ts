// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { outcome } from "../../../../test/outcome.ts";
import { of, string } from "../../../index.ts";
import { rewritePattern } from "./pattern-rewrite.ts";
import { regexAllFunc } from "../regexp.ts";
import { unicodeClass } from "./unicode-class.ts";

describe("patterns", () => {
  test.for(["", "a+", "\\Q\\p{L}\\E", "\\\\p{L}", "[a\\]\\\\p]", "(?P<a>x)(?P<b>y)", "[[:alpha:]]"])(
    "%j is left as it is",
    (text, { expect }) => {
      expect(rewritePattern(text).text).toBe(text);
    },
  );

  test("get a unique name for each group", ({ expect }) => {
    const { text, nameOf, restore } = rewritePattern("(?P<n>a)(?<n>b)again1");
    expect(text).toBe("(?P<n>a)(?P<again0>b)again1");
    expect([nameOf("n"), nameOf("again0")]).toEqual(["n", "n"]);
    expect(restore("(?P<again0>b")).toBe("(?<n>b");
  });

  test("match classes of Unicode 15.0 by each of their names in Go", ({ expect }) => {
    const text = "aBÀǅΩ1\u0661ʕ\u{1c89}";
    const found = (pattern: string): string =>
      outcome(regexAllFunc, of(string, pattern), of(string, text)).replaceAll(/ListVal\(\[\]Value|StringVal|[(){}"]/g, "");
    expect(found("\\p{Lu}")).toBe("B, À, Ω");
    expect(found("\\p{uppercase letter}+")).toBe("BÀ, Ω");
    expect(found("\\p{Ll}")).toBe("a, ʕ");
    expect(found("[^\\P{Greek}]")).toBe("Ω");
    expect(found("(?i)[^\\P{Lu}]+")).toBe("aBÀǅΩ");
    expect(found("(?i)[^\\P{Greek}b-]")).toBe("Ω");
    expect(found("\\p{^L}+")).toBe("1\u0661, \\u1c89");
    expect(found("\\p{Cn}")).toBe("\\u1c89");
    expect(found("[\\P{Any}]")).toBe("ListValEmptyString");
    expect(found("\\p{Old_Italic}")).toBe("FUNCTION of 0: invalid regexp pattern: invalid character class range in \\pOld_Italic");
    expect(found("\\p{Nope}[\\p{Nope}]")).toBe("FUNCTION of 0: invalid regexp pattern: invalid character class range in \\pNope");
    expect(found("(\\pL")).toBe("FUNCTION of 0: invalid regexp pattern: missing closing  in \\pL");
  });

  test("are errors for the same class names in brackets as in Go", ({ expect }) => {
    expect(outcome(regexAllFunc, of(string, "[:]"), of(string, "a:b"))).toBe('ListVal([]Value{StringVal(":")})');
    expect(outcome(regexAllFunc, of(string, "[^:]"), of(string, "a:b"))).toBe('ListVal([]Value{StringVal("a"), StringVal("b")})');
    expect(outcome(regexAllFunc, of(string, "[[:]"), of(string, "a[:"))).toBe('ListVal([]Value{StringVal("["), StringVal(":")})');
    expect(outcome(regexAllFunc, of(string, "[[:]a:]]"), of(string, ""))).toBe(
      "FUNCTION of 0: invalid regexp pattern: invalid character class range in [:]a:]",
    );
  });
});

test("letters whose other case is newer than Unicode 15.0 match only themselves", ({ expect }) => {
  const found = (pattern: string, text: string): string => outcome(regexAllFunc, of(string, pattern), of(string, text));
  const once = 'ListVal([]Value{StringVal("\u019b")})';
  for (const pattern of ["(?i)\u019b", "(?i)\\x{19b}", "(?i)[\u019b]", "(?i)[\u0180-\u02af]", "(?i)[^\\x{0}-\u017f\\x{1000}-\\x{10ffff}]"])
    expect(found(pattern, "\u019b\ua7dc"), pattern).toBe(once);
  expect(found("(?i:\u019b)k(?i:k)", "\u019bkK")).toBe('ListVal([]Value{StringVal("\u019bkK")})');
  expect(found("(?i)[\u0180-\u02af]", "\u018a\u0257")).toBe('ListVal([]Value{StringVal("\u018a"), StringVal("\u0257")})');
});

test("the lookup of class names ignores case, spaces, hyphens and underscores", ({ expect }) => {
  expect(unicodeClass("ascii")).toBe("\\x{0}-\\x{7f}");
  expect(unicodeClass("white space")).toBeUndefined();
  expect(unicodeClass("Decimal-Number")).toBe(unicodeClass("Nd"));
  expect(unicodeClass("Grek")).toBeUndefined();
  expect(unicodeClass("Garay")).toBeUndefined();
  expect(unicodeClass("Lo")).not.toContain("\\x{294}-\\x{295}");
});
