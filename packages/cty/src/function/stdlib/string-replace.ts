// SPDX-License-Identifier: Apache-2.0
import { string } from "../../type.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { stringOf, stringValue } from "./native.ts";
import { compilePattern, PatternError, replaceMatches } from "./pattern.ts";

/**
 * A text with another in place of every part that is a certain text.
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
    { name: "replace", description: "What to put in its place.", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([str, substr, replace]) => {
    const text = stringOf(str);
    const wanted = stringOf(substr);
    const replacement = stringOf(replace);
    // An empty text is found around every character, not around every half of one.
    const parts = wanted === "" ? ["", ...text, ""] : text.split(wanted);
    return stringValue(parts.join(replacement));
  },
});

/**
 * A text with every match of a regular expression replaced. `$1` and `${name}` in the replacement stand for what groups
 * matched, `$$` for a dollar sign.
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
