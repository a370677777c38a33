// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { compareExtras, compareVersions, formatVersion, safeNumber, type Version } from "./version.ts";
import { isWildcard, numberNames, scanVersion } from "./version-scan.ts";

/** How versions are compared with the one a constraint names. `~>` with two numbers or one lets the minor number grow, too. */
export type ConstraintOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~> patch" | "~> minor";

/** One comparison. */
export interface VersionConstraint {
  readonly operator: ConstraintOperator;
  /** What was left out is zero. */
  readonly version: Version;
}

/** All of them must hold. None: every release will do. */
export type VersionConstraints = readonly VersionConstraint[];

/**
 * Reads constraints with a comma between them, as in `version = ">= 1.2, != 1.4.1, < 2.0"`.
 *
 * An operator is followed by at most one space, and by up to three numbers. `~> 1.2.3` means `>= 1.2.3, < 1.3.0`; `~> 1.2` and
 * `~> 1` mean less than `2.0.0`. There are no wildcards, no `v`, and no alternatives.
 *
 * @throws PluginHostError `INVALID_VERSION`, with the words of both CLIs.
 * @see go-versions ParseRubyStyleMulti
 *
 * @example
 * formatConstraints(parseConstraints("<2.0,>= 1")); // => ">= 1.0.0, < 2.0.0"
 */
export function parseConstraints(text: string): VersionConstraints {
  const refuse = (reason: string): never => {
    throw new PluginHostError("INVALID_VERSION", `${JSON.stringify(text)} is not a version constraint: ${reason}`);
  };
  const constraints: VersionConstraint[] = [];
  let remaining = text.trim();
  while (remaining !== "") {
    const scan = scanVersion(remaining);
    const consumed = remaining.slice(0, remaining.length - scan.rest.length);
    const refuseOne = (reason: string): never => refuse(`invalid specification ${JSON.stringify(consumed)}: ${reason}`);
    const operator = operatorOf(scan.operator, scan.numbers.length, refuseOne);
    refuseSeparator(scan.separator, scan.operator, refuseOne);
    if (scan.numbers.length > 3) refuseOne("too many numbered portions; only three are allowed (major, minor, patch)");
    const wildcard = scan.numbers.findIndex(isWildcard);
    if (wildcard !== -1) {
      refuseOne(`can't use wildcard for ${numberNames[wildcard]} number; omit segments that should be unconstrained`);
    }
    const number = (index: number): number => safeNumber(scan.numbers[index] ?? "0", refuseOne);
    const { prerelease, metadata } = scan;
    constraints.push({ operator, version: { major: number(0), minor: number(1), patch: number(2), prerelease, metadata } });

    remaining = scan.rest.trim();
    if (remaining === "") break;
    if (remaining.startsWith("v")) refuse('a "v" prefix should not be used when specifying versions');
    if (!remaining.startsWith(",")) refuse(`missing comma after ${JSON.stringify(consumed)}`);
    remaining = remaining.slice(1).trim();
  }
  return constraints;
}

/**
 * The canonical text, which lock files must hold: sorted by version, then by operator, without repetitions.
 *
 * @see OpenTofu internal/getproviders, VersionConstraintsString
 */
export function formatConstraints(constraints: VersionConstraints): string {
  return [...new Set([...constraints].sort(compareConstraints).map(formatConstraint))].join(", ");
}

/**
 * Whether a version meets all constraints. A pre-release does only where one of them names it with `=`; metadata counts only
 * for `=` and `!=`.
 *
 * @see go-versions MeetingConstraints
 */
export function meetsConstraints(version: Version, constraints: VersionConstraints): boolean {
  const requested = constraints.some((constraint) => constraint.operator === "=" && isSame(version, constraint.version));
  return (version.prerelease === "" || requested) && constraints.every((constraint) => meets(version, constraint));
}

/** The newest of the versions that meet the constraints; undefined where none does. */
export function newestVersion(versions: readonly Version[], constraints: VersionConstraints): Version | undefined {
  let newest: Version | undefined;
  for (const version of versions) {
    if (meetsConstraints(version, constraints) && (!newest || compareVersions(version, newest) > 0)) newest = version;
  }
  return newest;
}

const operators: ReadonlyMap<string, ConstraintOperator> = new Map([
  ["", "="],
  ["=", "="],
  ["!=", "!="],
  [">", ">"],
  [">=", ">="],
  ["<", "<"],
  ["<=", "<="],
]);

function operatorOf(text: string, numbers: number, refuse: (reason: string) => never): ConstraintOperator {
  if (text === "~>") return numbers === 3 ? "~> patch" : "~> minor";
  const operator = operators.get(text);
  if (operator) return operator;
  const meant = text === "=<" ? '; did you mean "<="?' : text === "=>" ? '; did you mean ">="?' : "";
  return refuse(`invalid constraint operator ${JSON.stringify(text)}${meant}`);
}

function refuseSeparator(separator: string, operator: string, refuse: (reason: string) => never): void {
  if (separator === "" || (separator === " " && operator !== "")) return;
  if (separator.includes("v")) refuse('a "v" prefix should not be used when specifying versions');
  if (operator === "") refuse("extraneous spaces at start of specification");
  refuse(`only one space is expected after the operator ${JSON.stringify(operator)}`);
}

function meets(version: Version, { operator, version: boundary }: VersionConstraint): boolean {
  const order = compareVersions(version, boundary);
  switch (operator) {
    case "=":
      return isSame(version, boundary);
    case "!=":
      return !isSame(version, boundary);
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "~> patch":
      return order >= 0 && compareVersions(version, release(boundary.major, boundary.minor + 1)) < 0;
    default:
      return order >= 0 && compareVersions(version, release(boundary.major + 1, 0)) < 0;
  }
}

function release(major: number, minor: number): Version {
  return { major, minor, patch: 0, prerelease: "", metadata: "" };
}

function isSame(left: Version, right: Version): boolean {
  return compareVersions(left, right) === 0 && left.metadata === right.metadata;
}

/** Lower bounds come first, so that a set of constraints reads as a person would write it. */
const operatorOrder: readonly ConstraintOperator[] = [">", ">=", "=", "~> patch", "~> minor", "<=", "<", "!="];

function compareConstraints(left: VersionConstraint, right: VersionConstraint): number {
  return (
    compareVersions(left.version, right.version) ||
    compareExtras(left.version.metadata, right.version.metadata) ||
    operatorOrder.indexOf(left.operator) - operatorOrder.indexOf(right.operator)
  );
}

function formatConstraint({ operator, version }: VersionConstraint): string {
  if (operator === "=") return formatVersion(version);
  if (operator !== "~> minor") return `${operator === "~> patch" ? "~>" : operator} ${formatVersion(version)}`;
  const { prerelease, metadata } = version;
  const extras = `${prerelease === "" ? "" : `-${prerelease}`}${metadata === "" ? "" : `+${metadata}`}`;
  return `~> ${version.major}.${version.minor}${extras}`;
}
