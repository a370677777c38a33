// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { compareCodePoints, isNumberPayload, numberToBigint } from "@tenon/cty/unstable/payload";

/** The key of an instance: an index of `count`, a key of `for_each`, or undefined for a block without either. */
export type InstanceKey = number | string | undefined;

/** A key, or the reason why the value is not a valid key, in OpenTofu's wording. */
export type InstanceKeyResult =
  | { readonly key: number | string; readonly reason?: undefined }
  | { readonly key?: undefined; readonly reason: string };

const smallest = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

/**
 * Returns the instance key for the value of an index.
 *
 * Whole numbers beyond `Number.MAX_SAFE_INTEGER` are rejected; OpenTofu accepts them up to 2^63-1.
 *
 * @see OpenTofu addrs.ParseInstanceKey
 */
export function instanceKeyOf({ type, payload }: Value): InstanceKeyResult {
  if (type.kind === "string" && typeof payload === "string") return { key: payload };
  if (type.kind === "number" && isNumberPayload(payload)) {
    const whole = numberToBigint(payload);
    if (whole === undefined || whole < smallest || whole > greatest || !Number.isSafeInteger(Number(whole))) {
      return { reason: `value must be a whole number, between ${smallest} and ${greatest}` };
    }
    return { key: Number(whole) };
  }
  return { reason: "either a string or an integer is required" };
}

/** Formats the key in brackets, as in an address: `[0]`, `["a"]`; empty for no key. */
export function formatInstanceKey(key: InstanceKey): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `[${quoteKey(key)}]`;
}

/** The text in place of the key of instances whose keys are not known yet, as in the address of a deferred change. */
export const unknownKeyText = "[*]";

/** Orders keys as OpenTofu does: no key, then numbers, then strings by code point. */
export function compareInstanceKeys(a: InstanceKey, b: InstanceKey): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === "number") return typeof b === "number" ? a - b : -1;
  return typeof b === "number" ? 1 : compareCodePoints(a, b);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
const plain = /^[ !#-[\]-~]*$/;
/** Matches the characters to escape: quotes, backslashes, and those that Go's `unicode.IsPrint` rejects. */
const special = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Returns the text as a quoted HCL string without interpolation. @see OpenTofu addrs, toHCLQuotedString */
function quoteKey(text: string): string {
  const quoted = plain.test(text)
    ? text
    : text.toWellFormed().replace(special, (character) => escapes[character] ?? unicodeEscape(character));
  return `"${quoted.replace(/[$%](?=\{)/g, "$&$&")}"`;
}

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0)!;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
