// SPDX-License-Identifier: Apache-2.0

/** The parts of the text of one version or one constraint, before validation. */
export interface VersionScan {
  /** The characters before the first number that are not a letter, digit, space, dot or star. May be empty. */
  readonly operator: string;
  /** White space, and the letter `v`, between operator and number. */
  readonly separator: string;
  /** Each is digits or a wildcard: `*`, `x`, `X`. There may be more than three. */
  readonly numbers: readonly string[];
  readonly prerelease: string;
  readonly metadata: string;
  /** The remaining text, from the first character that is not part of the version. */
  readonly rest: string;
}

/** Names of the three numbers of a version, in order. */
export const numberNames = ["major", "minor", "patch"] as const;

/**
 * Scans one version or constraint from the start of a text.
 *
 * A dot, a `-` or a `+` without a valid part after it is ignored: `1.` reads as `1`, as in go-versions.
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

/** Whether a scanned number is a wildcard: `*`, `x` or `X`. */
export function isWildcard(number: string | undefined): boolean {
  return number === "*" || number === "x" || number === "X";
}
