// SPDX-License-Identifier: Apache-2.0

/** What a validator has found: an error as the rest of a sentence about the attribute ("must be …"), or a warning. */
export type Finding = string | { readonly warning: string };

/** All that a validator has to say of a value; undefined: nothing. */
export type Verdict = Finding | readonly Finding[] | undefined;

export type MaybeLater<T> = T | Promise<T>;

/** Verdicts taken apart. */
export interface Findings {
  readonly errors: readonly string[];
  readonly warnings: readonly { readonly warning: string }[];
}

/** The verdict taken apart. */
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

/** One verdict of findings: undefined where there are none, and an error alone as it is. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  return findings.length < 2 ? findings[0] : findings;
}

/** Goes on with all of them: at once where none has to be waited for, as nearly always. */
export function whenAll<T>(verdicts: readonly MaybeLater<Verdict>[], judge: (verdicts: readonly Verdict[]) => T): MaybeLater<T> {
  if (!verdicts.some((one) => one instanceof Promise)) return judge(verdicts as readonly Verdict[]);
  return Promise.all(verdicts.map(async (one) => one)).then((all) => judge(all));
}
