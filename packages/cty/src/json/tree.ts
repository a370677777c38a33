// SPDX-License-Identifier: Apache-2.0

/**
 * JSON data of `JSON.parse` and `JSON.stringify`: strings, booleans, null, arrays and records. A number is a JavaScript number if that
 * has the same text, and otherwise raw JSON (`JSON.rawJSON`).
 */
export type Tree = string | number | boolean | null | RawJson | readonly Tree[] | { readonly [name: string]: Tree };

/** A number that keeps the digits of its JSON text: the result of `JSON.rawJSON`. */
export interface RawJson {
  /** The text of the number. */
  readonly rawJSON: string;
}

/** The parts of `JSON` that TypeScript does not declare yet. */
interface JsonWithSource {
  readonly rawJSON: (text: string) => RawJson;
  readonly isRawJSON: (value: unknown) => value is RawJson;
  readonly parse: (text: string, reviver: (key: string, value: Tree, context: { readonly source?: string }) => Tree) => Tree;
}

const { rawJSON, isRawJSON, parse } = JSON as unknown as JsonWithSource;

/** Whether a value is raw JSON. */
export const isRawJson: (value: unknown) => value is RawJson = isRawJSON;

/** Returns a number of a tree: a JavaScript number if `JSON.stringify` writes the same text for it, otherwise raw JSON. */
export function numberTree(text: string): number | RawJson {
  const double = Number(text);
  return String(double) === text ? double : rawJSON(text);
}

/** Matches text that may contain a number with more digits than every double keeps, or one that may be outside the range of doubles. */
const mayBeLossy: RegExp = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})/;
/** Number of significant digits up to which doubles keep every decimal number in their range. */
const exactDigits = 15;
const longExponent: RegExp = /[eE][+-]?\d{3}/;

/**
 * Parses JSON text into a tree for {@link fromTree}. Numbers that a double may not represent become raw JSON. For text without such
 * numbers, it takes as long as `JSON.parse`.
 *
 * @throws SyntaxError for text that is not JSON.
 *
 * @example
 * JSON.stringify(parseTree("[1, 0.1000000000000000000001]"))
 * // => [1,0.1000000000000000000001]
 */
export function parseTree(text: string): Tree {
  if (!mayBeLossy.test(text)) return JSON.parse(text) as Tree;
  return parse(text, (_, value, { source }) => {
    const isLossy = typeof value === "number" && source !== undefined && (source.length > exactDigits || longExponent.test(source));
    return isLossy ? rawJSON(source) : value;
  });
}
