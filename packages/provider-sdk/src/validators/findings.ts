// SPDX-License-Identifier: Apache-2.0
import type { Finding, Verdict } from "../definition/verdict.ts";

/** A result, or a promise of one. */
export type MaybeLater<T> = T | Promise<T>;

/** The errors and the warnings of a verdict. */
export interface Findings {
  readonly errors: readonly string[];
  readonly warnings: readonly { readonly warning: string }[];
}

/** Splits a verdict into errors and warnings. */
export function findingsIn(verdict: Verdict): Findings {
  const all = verdict === undefined ? [] : isList(verdict) ? verdict : [verdict];
  return {
    errors: all.filter((one) => typeof one === "string"),
    warnings: all.filter((one) => typeof one !== "string"),
  };
}

function isList(verdict: Finding | readonly Finding[]): verdict is readonly Finding[] {
  return Array.isArray(verdict);
}

/** Combines findings into a verdict: undefined if there are none, and a single finding without a list. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  return findings.length < 2 ? findings[0] : findings;
}

/** Passes the verdicts to `judge`: synchronously if none is a promise, which is the common case. */
export function whenAll<T>(verdicts: readonly MaybeLater<Verdict>[], judge: (verdicts: readonly Verdict[]) => T): MaybeLater<T> {
  if (!verdicts.some((one) => one instanceof Promise)) return judge(verdicts as readonly Verdict[]);
  return Promise.all(verdicts.map(async (one) => one)).then((all) => judge(all));
}
