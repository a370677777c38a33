// SPDX-License-Identifier: Apache-2.0
import type { Answer, Case } from "./notation.ts";
import type { OwnAnswer } from "./subject/index.ts";

/** A place where we do otherwise than go-cty, on purpose. */
interface Deviation {
  readonly name: string;
  /** What go-cty does, and why we do not. */
  readonly why: string;
  readonly covers: (asked: Case, theirs: Answer, ours: OwnAnswer) => boolean;
}

/** At most 25, and only where go-cty panics, misreads its input, or answers at random. */
export const deviations: readonly Deviation[] = [
  {
    name: "invalid-utf8",
    why: "A Go string can hold bytes that are no UTF-8, ours cannot: they become U+FFFD, by the rules of the Encoding standard.",
    covers: ({ op }, theirs, ours) => /unmarshal|impliedType/.test(op) && samePlain(theirs, ours),
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
    name: "number-text-limit",
    why: "go-cty writes a number of millions of digits, however few bytes it came from.",
    covers: (_, theirs, ours) =>
      "ok" in theirs && "err" in ours && ours.code === "LIMIT" && ours.err.msg.endsWith("too large to be written in digits"),
  },
  {
    name: "unify-second-step",
    why: "Where go-cty unifies structures with collections in two steps, its second conversion is given the original value, and may panic.",
    covers: ({ op }, theirs, ours) => op.startsWith("unifyValues") && "panic" in theirs && "ok" in ours,
  },
];

/**
 * Do two answers with replacement characters agree, but for these? Neither how many stand for a piece of bad text is compared, nor
 * what they do to the order of a set, nor whether two names that differ in nothing else are one.
 */
function samePlain(theirs: Answer, ours: OwnAnswer): boolean {
  const [left, right] = [
    JSON.stringify("ok" in theirs ? theirs.ok : theirs),
    JSON.stringify("ok" in ours ? ours.ok : "err" in ours ? { err: ours.err } : ""),
  ];
  if (!left.includes("\ufffd") || !right.includes("\ufffd")) return false;
  const plain = (text: string): string => [...text.replaceAll("\ufffd", "")].sort().join("");
  return plain(left) === plain(right) || ("ok" in theirs && "ok" in ours && /"[^"]*\ufffd[^"]*":/.test(left));
}

/** The deviation that explains a difference, if one does. */
export function deviationOf(asked: Case, theirs: Answer, ours: OwnAnswer): string | undefined {
  return deviations.find(({ covers }) => covers(asked, theirs, ours))?.name;
}
