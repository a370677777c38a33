// SPDX-License-Identifier: Apache-2.0
import type { OracleResult, Case } from "./notation.ts";
import type { OwnResult } from "./subject/index.ts";

/** An intended difference from go-cty. */
export interface Deviation {
  /** Name in packages/cty/README.md. */
  readonly name: string;
  /** What go-cty does, and why @tenon/cty differs. */
  readonly why: string;
  readonly covers: (input: Case, theirs: OracleResult, ours: OwnResult) => boolean;
}

/** All deviations: at most 25, and only for cases in which go-cty panics, misreads its input, or answers at random. */
export const deviations: readonly Deviation[] = [
  {
    name: "invalid-utf8",
    why: "A Go string can hold invalid UTF-8, a JavaScript string cannot: the bytes become U+FFFD, by the rules of the Encoding standard. Go does not normalize the text after them.",
    covers: ({ op }, theirs, ours) => /unmarshal|impliedType/.test(op) && (samePlain(theirs, ours) || isOtherName(theirs)),
  },
  {
    name: "refinement-key-skipped",
    why: "go-cty skips an unknown or null refinement key without its value, and reads the value as the next key.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.unmarshal" && !("panic" in theirs) && "err" in ours && /unsupported refinement|non-integer key/.test(ours.err.msg),
  },
  {
    name: "empty-for-any-structure",
    why: "go-cty accepts an empty array for any tuple type and an empty map for any object type, and returns a value of another type.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.unmarshal" &&
      "err" in ours &&
      /^(?:a tuple of length|an object with) \d+ .*is required|\(0 given\)$/.test(ours.err.msg) &&
      !("panic" in theirs),
  },
  {
    name: "map-key-must-be-string",
    why: "go-cty drops the error for a map key that is not a string, and continues with an empty key and the remaining bytes.",
    covers: ({ op }, _, ours) => op === "msgpack.unmarshal" && "err" in ours && ours.err.msg === "non-string key in map",
  },
  {
    name: "duplicate-attribute",
    why: "go-cty returns an object without some of its attributes if another attribute is duplicated.",
    covers: ({ op }, _, ours) => op === "msgpack.unmarshal" && "err" in ours && ours.err.msg === "duplicate attribute",
  },
  {
    name: "implied-type-cut-short",
    why: "go-cty implies a type for an array or map with a truncated length, and ignores truncated bytes after the value.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.impliedType" &&
      "ok" in theirs &&
      "err" in ours &&
      ["extra bytes after msgpack value", "unexpected EOF"].includes(ours.err.msg),
  },
  {
    name: "unify-second-step",
    why: "If go-cty unifies structures with collections in two steps, it passes the original value to the second conversion, which may panic.",
    covers: ({ op }, theirs, ours) => op.startsWith("unifyValues") && "panic" in theirs && "ok" in ours,
  },
  {
    name: "nfc-low-bits",
    why: "Go's NFC normalization looks up pairs of characters by the lower 16 bits of each, so it can compose characters above U+FFFF wrongly.",
    // The text can be the result of a decoder.
    covers: (input, theirs, ours) => "ok" in theirs && "ok" in ours && (hasFarPair(input) || farPair.test(JSON.stringify(ours.ok))),
  },
  {
    name: "order-of-zeros",
    why: "go-cty orders members of a set that differ only in 0 and -0 by the checksums of their texts.",
    covers: (_input, theirs, ours) =>
      "ok" in theirs && "ok" in ours && inOneOrder(theirs.ok) !== undefined && inOneOrder(theirs.ok) === inOneOrder(ours.ok),
  },
];

/** The text of a value that contains a set and -0, with the members of its sets in one order; undefined for other answers. */
function inOneOrder(answer: unknown): string | undefined {
  const text = JSON.stringify(answer);
  if (!text.includes('"-0"') || !text.includes('"set"')) return undefined;
  const { t, v } = answer as { readonly t?: unknown; readonly v?: unknown };
  return t === undefined ? undefined : JSON.stringify([t, withSortedSets(t, v)]);
}

/** A payload of a type, in the notation of the oracle, with the members of its sets sorted by their texts. */
function withSortedSets(type: unknown, payload: unknown): unknown {
  if (!Array.isArray(type) || !Array.isArray(payload)) return payload;
  const [kind, inner] = type as readonly unknown[];
  switch (kind) {
    case "set":
      return payload.map((one) => JSON.stringify(withSortedSets(inner, one))).sort();
    case "list":
      return payload.map((one) => withSortedSets(inner, one));
    case "tuple":
      return payload.map((one, index) => withSortedSets((inner as readonly unknown[])[index], one));
    default: {
      const ofKey = (key: string): unknown => (kind === "map" ? inner : (inner as Readonly<Record<string, unknown>>)[key]);
      return (payload as readonly (readonly [string, unknown])[]).map(([key, one]) => [key, withSortedSets(ofKey(key), one)]);
    }
  }
}

/** A character above U+FFFF before a combining mark, or a combining mark above U+FFFF. */
const farPair: RegExp = /[\u{10000}-\u{10ffff}]\p{M}|\p{M}(?<=[\u{10000}-\u{10ffff}])/u;

function hasFarPair({ args }: Case): boolean {
  const unescaped = (text: string): string =>
    text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return args.some((arg) => {
    const bytes = typeof arg === "string" && /^(?:[0-9a-f]{2})+$/.test(arg) ? Buffer.from(arg, "hex").toString() : "";
    return [bytes, typeof arg === "string" ? arg : JSON.stringify(arg)].some((text) => farPair.test(unescaped(text)));
  });
}

/** Whether go-cty rejected an attribute name with invalid bytes; with replacement characters, the name may be in the type. */
function isOtherName(theirs: OracleResult): boolean {
  return "err" in theirs && theirs.err.msg === "unsupported attribute" && JSON.stringify(theirs.err.path).includes("\ufffd");
}

/**
 * Whether two answers are equal except for replacement characters: their number, their effect on the order of a set, strings that
 * become equal through them, and the normal form of the text after them.
 */
function samePlain(theirs: OracleResult, ours: OwnResult): boolean {
  const [left, right] = [
    JSON.stringify("ok" in theirs ? theirs.ok : theirs),
    JSON.stringify("ok" in ours ? ours.ok : "err" in ours ? { err: ours.err } : ""),
  ];
  // Where elements of two keys do not fit together, the keys can be one key of ours.
  if ("panic" in theirs || "varies" in theirs) return "ok" in ours && replacedKey.test(right);
  if (!left.includes("\ufffd") || !right.includes("\ufffd")) return false;
  return plain(left) === plain(right) || ("ok" in theirs && "ok" in ours && replacedKey.test(left));
}

/** An attribute name or map key with replacement characters. Two that differ in Go may be equal in JavaScript. */
const replacedKey: RegExp = /"[^"]*\ufffd[^"]*":|\["[^"]*\ufffd[^"]*",/;
const replaced: RegExp = /"(?:[^"\\]|\\.)*\ufffd(?:[^"\\]|\\.)*"/g;

/** Normalizes an answer: removes replacement characters, deduplicates the strings that had them, and sorts the rest. */
function plain(text: string): string {
  const strings = new Set(Array.from(text.matchAll(replaced), ([string]) => string.replaceAll(/\ufffd|\u034f/g, "").normalize("NFD")));
  const others = text.replace(replaced, "").replaceAll(",", "");
  return [...strings].sort().join("") + [...others].sort().join("");
}

/** Name of the deviation that explains a difference, if there is one. */
export function deviationOf(input: Case, theirs: OracleResult, ours: OwnResult): string | undefined {
  return deviations.find(({ covers }) => covers(input, theirs, ours))?.name;
}
