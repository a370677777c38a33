// SPDX-License-Identifier: Apache-2.0
import type { OracleResult } from "./notation.ts";
import type { OwnResult } from "./subject/index.ts";

/** Input that go-cty processes without a limit, and @tenon/cty rejects with code `LIMIT`. */
export interface Limit {
  /** Name in packages/cty/README.md. */
  readonly name: string;
  /** What go-cty does with such input. */
  readonly why: string;
  /** Pattern of our error text. */
  readonly says: RegExp;
}

export const limits: readonly Limit[] = [
  {
    name: "nesting-limit",
    why: "go-cty recurses for every level: up to 10,000 in JSON, without a limit in msgpack.",
    says: /^nested more than 1000 levels deep$/,
  },
  {
    name: "number-text-limit",
    why: "go-cty writes a number with millions of digits, even if its input had a few bytes.",
    says: /^a number of about 2\^-?\d+ has too many digits$/,
  },
  {
    name: "unknown-list-limit",
    why: "go-cty creates a list of as many unknown elements as a refinement of a few bytes declares.",
    says: /^more than \d+ unknown elements$/,
  },
];

/** Name of the limit that explains why @tenon/cty rejects input that go-cty accepts, if there is one. */
export function limitOf(theirs: OracleResult, ours: OwnResult): string | undefined {
  if (!("err" in ours) || ours.code !== "LIMIT" || "err" in theirs) return undefined;
  return limits.find(({ says }) => says.test(ours.err.msg))?.name;
}
