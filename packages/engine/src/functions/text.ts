// SPDX-License-Identifier: Apache-2.0
import { bool, isKnown, of, range, string, unknown } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { regexReplaceFunc, replaceFunc } from "@tenon/cty/stdlib";
import { stringOf } from "@tenon/cty/unstable/native";

/**
 * Whether a string starts with a prefix. The known prefix of an unknown string can determine the result.
 *
 * @see OpenTofu funcs.StartsWithFunc
 */
export const startsWithFunction: CtyFunction = defineFunction({
  description: "Returns whether a string starts with a prefix.",
  params: [
    { name: "str", type: string, allowUnknown: true },
    { name: "prefix", type: string },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([text, prefixValue]) => {
    const prefix = stringOf(prefixValue);
    if (isKnown(text)) return of(bool, stringOf(text).startsWith(prefix));
    if (prefix === "") return of(bool, true);
    const start = range(text).prefix ?? "";
    if (start.startsWith(prefix)) return of(bool, true);
    // Go compares the lengths in bytes.
    if (start !== "" && Buffer.byteLength(start) >= Buffer.byteLength(prefix)) return of(bool, false);
    return unknown(bool);
  },
});

/**
 * Whether a string ends with a suffix.
 *
 * @see OpenTofu funcs.EndsWithFunc
 */
export const endsWithFunction: CtyFunction = defineFunction({
  description: "Returns whether a string ends with a suffix.",
  params: [
    { name: "str", type: string },
    { name: "suffix", type: string },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([text, suffix]) => of(bool, stringOf(text).endsWith(stringOf(suffix))),
});

/**
 * Whether a string contains another.
 *
 * @see OpenTofu funcs.StrContainsFunc
 */
export const stringContainsFunction: CtyFunction = defineFunction({
  description: "Returns whether a string contains another string.",
  params: [
    { name: "str", type: string },
    { name: "substr", type: string },
  ],
  type: bool,
  impl: ([text, part]) => of(bool, stringOf(text).includes(stringOf(part))),
});

/**
 * Replaces each occurrence of a text in a string. A search text between slashes is a regular expression.
 *
 * @see OpenTofu funcs.ReplaceFunc
 */
export const replaceFunction: CtyFunction = defineFunction({
  description: "Replaces each occurrence of a text, or each match of a regular expression written between slashes.",
  params: [
    { name: "str", type: string },
    { name: "substr", type: string },
    { name: "replace", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([text, search, replacement]) => {
    const wanted = stringOf(search);
    const isPattern = wanted.length > 1 && wanted.startsWith("/") && wanted.endsWith("/");
    if (!isPattern) return replaceFunc.call([text, search, replacement]);
    return regexReplaceFunc.call([text, of(string, wanted.slice(1, -1)), replacement]);
  },
});
