// SPDX-License-Identifier: Apache-2.0
import { string } from "../../type/type.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { stringOf, stringValue } from "./argument/native.ts";
import { compilePattern, PatternError, replaceMatches } from "./regular-expression/pattern.ts";

/**
 * Replaces every occurrence of one text in another.
 *
 * @example
 * replaceFunc.call([of(string, "hello"), of(string, "l"), of(string, "L")])
 * // => cty.StringVal("heLLo")
 *
 * @see go-cty stdlib.ReplaceFunc
 */
export const replaceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Replaces every occurrence of a text.",
  params: [
    { name: "str", description: "The text to search.", type: string },
    { name: "substr", description: "The text to replace.", type: string },
    { name: "replace", description: "The replacement.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, substr, replace]) => {
    const text = stringOf(str);
    const wanted = stringOf(substr);
    const replacement = stringOf(replace);
    // An empty text matches around every code point, not between the two halves of a surrogate pair.
    const parts = wanted === "" ? ["", ...text, ""] : text.split(wanted);
    return stringValue(parts.join(replacement));
  },
});

/**
 * Replaces every match of a regular expression. In the replacement, `$1` and `${name}` stand for the text of groups, `$$` for a dollar
 * sign.
 *
 * @example
 * regexReplaceFunc.call([of(string, "-ab-axxb-"), of(string, "a(x*)b"), of(string, "${1}W")])
 * // => cty.StringVal("-W-xxW-")
 *
 * @see go-cty stdlib.RegexReplaceFunc
 */
export const regexReplaceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Replaces every match of a regular expression.",
  params: [
    { name: "str", type: string },
    { name: "pattern", type: string },
    { name: "replace", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, pattern, replace]) => {
    const text = stringOf(str);
    try {
      return stringValue(replaceMatches(compilePattern(stringOf(pattern)), text, stringOf(replace)));
    } catch (error) {
      throw error instanceof PatternError ? callError(`error parsing regexp: ${error.reason}: \`${error.expression}\``) : error;
    }
  },
});
