// SPDX-License-Identifier: Apache-2.0
import type { Answer } from "./notation.ts";
import type { OwnAnswer } from "./subject/index.ts";

/** Input that go-cty works on for as long as it takes, and that we refuse with code `LIMIT`. */
export interface Limit {
  /** As packages/cty/README.md has it. */
  readonly name: string;
  /** What go-cty does with such input. */
  readonly why: string;
  /** What our error says. */
  readonly says: RegExp;
}

export const limits: readonly Limit[] = [
  {
    name: "nesting-limit",
    why: "go-cty calls itself for every level, up to 10,000 in JSON and without end in msgpack.",
    says: /^nested more than 1000 levels deep$/,
  },
  {
    name: "number-text-limit",
    why: "go-cty writes a number of millions of digits, however few bytes it came from.",
    says: /^a number of the size of 2\^-?\d+ is too large to be written in digits$/,
  },
  {
    name: "unknown-list-limit",
    why: "go-cty makes a list of as many unknown elements as a refinement of a few bytes promises.",
    says: /^more than \d+ unknown elements are promised$/,
  },
];

/** The limit that explains why we refuse what go-cty takes, or takes for something else. */
export function limitOf(theirs: Answer, ours: OwnAnswer): string | undefined {
  if (!("err" in ours) || ours.code !== "LIMIT" || "err" in theirs) return undefined;
  return limits.find(({ says }) => says.test(ours.err.msg))?.name;
}
