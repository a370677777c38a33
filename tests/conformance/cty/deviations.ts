// SPDX-License-Identifier: Apache-2.0
import type { Answer, Case } from "./notation.ts";
import type { OwnAnswer } from "./subject/index.ts";

/** A place where we do otherwise than go-cty, on purpose. */
export interface Deviation {
  /** As packages/cty/README.md has it. */
  readonly name: string;
  /** What go-cty does, and why we do not. */
  readonly why: string;
  readonly covers: (asked: Case, theirs: Answer, ours: OwnAnswer) => boolean;
}

/** At most 25, and only where go-cty panics, misreads its input, or answers at random. */
export const deviations: readonly Deviation[] = [
  {
    name: "invalid-utf8",
    why: "A Go string can hold bytes that are no UTF-8, ours cannot: they become U+FFFD, by the rules of the Encoding standard. Go leaves what follows them out of normal form.",
    covers: ({ op }, theirs, ours) => /unmarshal|impliedType/.test(op) && (samePlain(theirs, ours) || isOtherName(theirs)),
  },
  {
    name: "refinement-key-skipped",
    why: "go-cty skips a refinement key that it does not know, or that is null, without skipping its value, and takes that for the next key.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.unmarshal" && !("panic" in theirs) && "err" in ours && /unsupported refinement|non-integer key/.test(ours.err.msg),
  },
  {
    name: "empty-for-any-structure",
    why: "go-cty takes an empty array for any tuple type and an empty map for any object type, and returns a value of another type.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.unmarshal" &&
      "err" in ours &&
      /^(?:a tuple of length|an object with) \d+ .*is required|\(0 given\)$/.test(ours.err.msg) &&
      !("panic" in theirs),
  },
  {
    name: "map-key-must-be-string",
    why: "go-cty finds that a map key is no string, drops the error and goes on with an empty key and the rest of the bytes.",
    covers: ({ op }, _, ours) => op === "msgpack.unmarshal" && "err" in ours && ours.err.msg === "non-string key in map",
  },
  {
    name: "duplicate-attribute",
    why: "go-cty returns an object that lacks attributes when another comes twice.",
    covers: ({ op }, _, ours) => op === "msgpack.unmarshal" && "err" in ours && ours.err.msg === "duplicate attribute",
  },
  {
    name: "implied-type-cut-short",
    why: "go-cty takes an array or map whose length is cut off for any type, and overlooks bytes after the value if they are cut off themselves.",
    covers: ({ op }, theirs, ours) =>
      op === "msgpack.impliedType" &&
      "ok" in theirs &&
      "err" in ours &&
      ["extra bytes after msgpack value", "unexpected EOF"].includes(ours.err.msg),
  },
  {
    name: "unify-second-step",
    why: "Where go-cty unifies structures with collections in two steps, its second conversion is given the original value, and may panic.",
    covers: ({ op }, theirs, ours) => op.startsWith("unifyValues") && "panic" in theirs && "ok" in ours,
  },
  {
    name: "nfc-low-bits",
    why: "Go's normal form knows pairs of characters by the lower 16 bits of each, takes one beyond U+FFFF for another, and writes a third in their place.",
    covers: (asked, theirs, ours) => "ok" in theirs && "ok" in ours && hasFarPair(asked),
  },
];

/** A character beyond U+FFFF next to one that combines, or one that combines from there: in the arguments, or in bytes among them. */
const farPair: RegExp = /[\u{10000}-\u{10ffff}]\p{M}|\p{M}(?<=[\u{10000}-\u{10ffff}])/u;

function hasFarPair({ args }: Case): boolean {
  const unescaped = (text: string): string =>
    text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return args.some((arg) => {
    const bytes = typeof arg === "string" && /^(?:[0-9a-f]{2})+$/.test(arg) ? Buffer.from(arg, "hex").toString() : "";
    return [bytes, typeof arg === "string" ? arg : JSON.stringify(arg)].some((text) => farPair.test(unescaped(text)));
  });
}

/** An attribute's name with bad bytes is none of the type's; with replacement characters it may be one. */
function isOtherName(theirs: Answer): boolean {
  return "err" in theirs && theirs.err.msg === "unsupported attribute" && JSON.stringify(theirs.err.path).includes("\ufffd");
}

/**
 * Do two answers with replacement characters agree, but for these? Neither how many stand for a piece of bad text is compared, nor
 * what they do to the order of a set, nor whether two strings that differ in nothing else are one, nor the normal form of what
 * follows them.
 */
function samePlain(theirs: Answer, ours: OwnAnswer): boolean {
  const [left, right] = [
    JSON.stringify("ok" in theirs ? theirs.ok : theirs),
    JSON.stringify("ok" in ours ? ours.ok : "err" in ours ? { err: ours.err } : ""),
  ];
  if (!left.includes("\ufffd") || !right.includes("\ufffd")) return false;
  return plain(left) === plain(right) || ("ok" in theirs && "ok" in ours && replacedKey.test(left));
}

/** A name of an attribute, or a key of a map, with replacement characters: two that Go tells apart may be one then. */
const replacedKey: RegExp = /"[^"]*\ufffd[^"]*":|\["[^"]*\ufffd[^"]*",/;
const replaced: RegExp = /"(?:[^"\\]|\\.)*\ufffd(?:[^"\\]|\\.)*"/g;

/** The strings with replacement characters, each once and without those, and all else in an order of its own. */
function plain(text: string): string {
  const strings = new Set(Array.from(text.matchAll(replaced), ([string]) => string.replaceAll(/\ufffd|\u034f/g, "").normalize("NFD")));
  const others = text.replace(replaced, "").replaceAll(",", "");
  return [...strings].sort().join("") + [...others].sort().join("");
}

/** The deviation that explains a difference, if one does. */
export function deviationOf(asked: Case, theirs: Answer, ours: OwnAnswer): string | undefined {
  return deviations.find(({ covers }) => covers(asked, theirs, ours))?.name;
}
