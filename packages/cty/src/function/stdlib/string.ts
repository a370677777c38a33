// SPDX-License-Identifier: Apache-2.0
// Large: all of go-cty's string functions except those that replace text.
import { compareCodePoints } from "../../text/code-point-order.ts";
import { graphemes } from "../../text/graphemes.ts";
import { list, number, string } from "../../type/type.ts";
import { refine } from "../../refinement/unknown-refinement.ts";
import { listOf, unknown } from "../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../equality/value-ops.ts";
import { range } from "../../refinement/value-range.ts";
import { valueOf } from "../../value/value.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { lowerCase, titleCase, trimSpace, upperCase } from "./letter-case.ts";
import { integerOf, partsOf, stringOf, stringValue } from "./argument/native.ts";

function ofText(description: string, change: (text: string) => string, allowDynamicType: boolean): CtyFunction {
  return defineFunction({
    description,
    params: [{ name: "str", type: string, allowDynamicType }],
    type: string,
    refineResult: { notNull: true },
    impl: ([str]) => stringValue(change(stringOf(str))),
  });
}

/**
 * A text in upper case. Each letter is mapped to one letter.
 *
 * @example
 * upperFunc.call([of(string, "straße")])
 * // => cty.StringVal("STRAßE")
 *
 * @see go-cty stdlib.UpperFunc
 */
export const upperFunc: CtyFunction = /* @__PURE__ */ ofText("Converts all letters to upper case.", upperCase, true);

/**
 * A text in lower case. Each letter is mapped to one letter.
 *
 * @example
 * lowerFunc.call([of(string, "ΣΑΣ")])
 * // => cty.StringVal("σασ")
 *
 * @see go-cty stdlib.LowerFunc
 */
export const lowerFunc: CtyFunction = /* @__PURE__ */ ofText("Converts all letters to lower case.", lowerCase, true);

/**
 * The characters (grapheme clusters) of a text in reverse order.
 *
 * @example
 * reverseFunc.call([of(string, "a👍🏽b")])
 * // => cty.StringVal("b👍🏽a")
 *
 * @see go-cty stdlib.ReverseFunc
 */
export const reverseFunc: CtyFunction = /* @__PURE__ */ ofText(
  "Reverses the order of the characters.",
  (text) => graphemes(text).reverse().join(""),
  true,
);

/**
 * A text without trailing line breaks.
 *
 * @example
 * chompFunc.call([of(string, "a\nb\r\n\n")])
 * // => cty.StringVal("a\nb")
 *
 * @see go-cty stdlib.ChompFunc
 */
export const chompFunc: CtyFunction = /* @__PURE__ */ ofText(
  "Removes trailing line breaks.",
  (text) => text.replace(/[\r\n]+$/, ""),
  false,
);

/**
 * A text with the first letter of each word in title case.
 *
 * @example
 * titleFunc.call([of(string, "hello wide-open world")])
 * // => cty.StringVal("Hello Wide-Open World")
 *
 * @see go-cty stdlib.TitleFunc
 */
export const titleFunc: CtyFunction = /* @__PURE__ */ ofText("Capitalizes the first letter of each word.", titleCase, false);

/**
 * A text without leading and trailing Unicode white space.
 *
 * @example
 * trimSpaceFunc.call([of(string, "\n a b\t")])
 * // => cty.StringVal("a b")
 *
 * @see go-cty stdlib.TrimSpaceFunc
 */
export const trimSpaceFunc: CtyFunction = /* @__PURE__ */ ofText("Removes leading and trailing white space.", trimSpace, false);

/**
 * The number of characters (grapheme clusters) of a text. For an unknown text, at least as many as its known prefix has.
 *
 * @example
 * strlenFunc.call([of(string, "👍🏽é")])
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.StrlenFunc
 */
export const strlenFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the number of characters of a text.",
  params: [{ name: "str", type: string, allowUnknown: true, allowDynamicType: true }],
  type: number,
  refineResult: { notNull: true, min: 0 },
  impl: ([str]) => {
    if (isKnown(str)) return valueOf(number, graphemes(stringOf(str)).length);
    return str.type === string ? refine(unknown(number), { min: graphemes(range(str).prefix ?? "").length }) : unknown(number);
  },
});

/**
 * A part of a text, by offset and maximum length in characters (grapheme clusters). A negative offset counts from the end; with a
 * negative length, the part extends to the end of the text.
 *
 * @example
 * substrFunc.call([of(string, "hello world"), of(number, -5), of(number, 3)])
 * // => cty.StringVal("wor")
 *
 * @see go-cty stdlib.SubstrFunc
 */
export const substrFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns a part of a text, by offset and length in characters.",
  params: [
    { name: "str", description: "The text.", type: string, allowDynamicType: true },
    { name: "offset", description: "The offset of the first character.", type: number, allowDynamicType: true },
    { name: "length", description: "The maximum number of characters.", type: number, allowDynamicType: true },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, offsetValue, lengthValue]) => {
    const text = stringOf(str);
    const offset = Number(integerOf(offsetValue));
    const length = Number(integerOf(lengthValue));
    if (offset >= 0 && length === 0) return stringValue("");
    const characters = graphemes(text);
    const start = offset < 0 ? Math.max(0, offset + characters.length) : offset;
    // go-cty checks the length only after the first character, so with length 0 it takes the rest of the text.
    const end = length <= 0 ? undefined : start + length;
    return stringValue(characters.slice(start, end).join(""));
  },
});

/**
 * Concatenates the texts of lists, with a separator between them.
 *
 * @example
 * joinFunc.call([of(string, "-"), of(list(string), ["a", "b"]), of(list(string), ["c"])])
 * // => cty.StringVal("a-b-c")
 *
 * @see go-cty stdlib.JoinFunc
 */
export const joinFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Concatenates the texts of lists, with a separator between them.",
  params: [{ name: "separator", description: "The text to insert between the texts.", type: string }],
  varParam: { name: "lists", description: "The lists of texts.", type: /* @__PURE__ */ list(string) },
  type: string,
  refineResult: { notNull: true },
  impl: ([separator, ...lists]) => {
    if (lists.length === 0) throw callError("at least one list is required");
    if (!lists.every(isWhollyKnown)) return unknown(string);
    const items = lists.flatMap((texts, at) => partsOf(texts).map((text, index) => joinable(text, at, index, lists.length > 1)));
    return stringValue(items.join(stringOf(separator)));
  },
});

function joinable(text: Value, at: number, index: number, several: boolean): string {
  if (!isNull(text)) return stringOf(text);
  const place = several ? `element ${index} of list ${at + 1}` : `element ${index}`;
  throw argumentError(at + 1, `${place} is null; cannot concatenate null values`);
}

/**
 * The texts of a list, sorted by code point.
 *
 * @example
 * sortFunc.call([of(list(string), ["b", "a", "B"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("B"), cty.StringVal("a"), cty.StringVal("b")})
 *
 * @see go-cty stdlib.SortFunc
 */
export const sortFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Sorts the texts of a list.",
  params: [{ name: "list", type: /* @__PURE__ */ list(string), allowUnknown: true }],
  type: /* @__PURE__ */ list(string),
  refineResult: { notNull: true },
  impl: ([texts], type) => {
    if (!isWhollyKnown(texts)) {
      const { lengthMin, lengthMax } = range(texts);
      return refine(unknown(type), { lengthMin: lengthMin ?? 0, lengthMax: lengthMax ?? Infinity });
    }
    const sorted = partsOf(texts).map((text, index) => {
      if (isNull(text)) throw callError(`given list element ${index} is null; a null string cannot be sorted`);
      return stringOf(text);
    });
    return valueOf(texts.type, sorted.sort(compareCodePoints));
  },
});

/**
 * Splits a text at each separator; between all characters if the separator is empty.
 *
 * @example
 * splitFunc.call([of(string, ","), of(string, "a,,b")])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal(""), cty.StringVal("b")})
 *
 * @see go-cty stdlib.SplitFunc
 */
export const splitFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Splits a text at each separator.",
  params: [
    { name: "separator", description: "The text between the parts.", type: string },
    { name: "str", description: "The text.", type: string },
  ],
  type: /* @__PURE__ */ list(string),
  refineResult: { notNull: true },
  impl: ([separatorValue, str]) => {
    const separator = stringOf(separatorValue);
    const text = stringOf(str);
    return listOf((separator === "" ? [...text] : text.split(separator)).map(stringValue), string);
  },
});

/**
 * A text with spaces inserted after each line break.
 *
 * @example
 * indentFunc.call([of(number, 2), of(string, "a\nb")])
 * // => cty.StringVal("a\n  b")
 *
 * @see go-cty stdlib.IndentFunc
 */
export const indentFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Inserts spaces after each line break.",
  params: [
    { name: "spaces", description: "The number of spaces.", type: number },
    { name: "str", description: "The text.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([spaces, str]) => {
    const padding = " ".repeat(Number(integerOf(spaces)));
    return stringValue(stringOf(str).replaceAll("\n", `\n${padding}`));
  },
});

/**
 * A text without leading and trailing characters of a set.
 *
 * @example
 * trimFunc.call([of(string, "?!hello?!"), of(string, "!?")])
 * // => cty.StringVal("hello")
 *
 * @see go-cty stdlib.TrimFunc
 */
export const trimFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes leading and trailing characters of a set.",
  params: [
    { name: "str", description: "The text.", type: string },
    { name: "cutset", description: "The characters to remove, in any order.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, cutset]) => {
    const cut = new Set(stringOf(cutset));
    const characters = [...stringOf(str)];
    const start = characters.findIndex((character) => !cut.has(character));
    const end = characters.findLastIndex((character) => !cut.has(character));
    return stringValue(start < 0 ? "" : characters.slice(start, end + 1).join(""));
  },
});

/**
 * A text without a prefix, if it has that prefix.
 *
 * @example
 * trimPrefixFunc.call([of(string, "foobar"), of(string, "foo")])
 * // => cty.StringVal("bar")
 *
 * @see go-cty stdlib.TrimPrefixFunc
 */
export const trimPrefixFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes a prefix from a text that has it.",
  params: [
    { name: "str", description: "The text.", type: string },
    { name: "prefix", description: "The prefix to remove.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, prefixValue]) => {
    const text = stringOf(str);
    const prefix = stringOf(prefixValue);
    return stringValue(text.startsWith(prefix) ? text.slice(prefix.length) : text);
  },
});

/**
 * A text without a suffix, if it has that suffix.
 *
 * @example
 * trimSuffixFunc.call([of(string, "foobar"), of(string, "bar")])
 * // => cty.StringVal("foo")
 *
 * @see go-cty stdlib.TrimSuffixFunc
 */
export const trimSuffixFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes a suffix from a text that has it.",
  params: [
    { name: "str", description: "The text.", type: string },
    { name: "suffix", description: "The suffix to remove.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, suffixValue]) => {
    const text = stringOf(str);
    const suffix = stringOf(suffixValue);
    return stringValue(text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text);
  },
});
