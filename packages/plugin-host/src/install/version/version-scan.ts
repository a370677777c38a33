// SPDX-License-Identifier: Apache-2.0

/** The parts of one version or one constraint as they were written, before anything is made of them. */
export interface VersionScan {
  /** Everything in front of the number that is neither letter, digit, space, dot nor star. Empty where there is none. */
  readonly operator: string;
  /** White space, and the letter `v`, between operator and number. */
  readonly separator: string;
  /** Digits, or a wildcard: `*`, `x`, `X`. All of them, more than three included. */
  readonly numbers: readonly string[];
  readonly prerelease: string;
  readonly metadata: string;
  /** What follows, from the first character that does not belong. */
  readonly rest: string;
}

export const numberNames = ["major", "minor", "patch"] as const;

/**
 * Takes a text apart from its start.
 *
 * A dot, a `-` or a `+` with nothing usable behind it is passed over: `1.` reads as `1`. So does the original.
 *
 * @see go-versions constraints/raw_scan.rl
 */
export function scanVersion(text: string): VersionScan {
  let rest = text;
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(rest)?.[0] ?? "";
    rest = rest.slice(found.length);
    return found;
  };
  const operator = take(/^[^0-9A-Za-z.*\t-\r ]+/);
  const separator = take(/^[\t-\r v]+/);
  const numbers: string[] = [];
  for (;;) {
    const number = take(/^(?:[0-9]+|[*xX])/);
    if (number === "") return { operator, separator, numbers, prerelease: "", metadata: "", rest };
    numbers.push(number);
    if (take(/^\./) === "") break;
  }
  const prerelease = take(/^-[0-9A-Za-z.-]*/).slice(1);
  const metadata = take(/^\+[0-9A-Za-z.-]*/).slice(1);
  return { operator, separator, numbers, prerelease, metadata, rest };
}

export function isWildcard(number: string | undefined): boolean {
  return number === "*" || number === "x" || number === "X";
}
