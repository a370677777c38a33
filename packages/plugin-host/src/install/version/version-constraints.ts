// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { compareExtras, compareVersions, formatVersion, safeNumber, type Version } from "./version.ts";
import { isWildcard, numberNames, scanVersion } from "./version-scan.ts";

/** The comparison of a constraint. `~> patch` allows newer patches; `~> minor`, written with one or two numbers, also newer minors. */
export type ConstraintOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~> patch" | "~> minor";

/** One comparison. */
export interface VersionConstraint {
  readonly operator: ConstraintOperator;
  /** Omitted numbers are zero. */
  readonly version: Version;
}

/** Constraints, all of which a version must meet. An empty list allows every release. */
export type VersionConstraints = readonly VersionConstraint[];

/**
 * Reads comma-separated constraints, as in `version = ">= 1.2, != 1.4.1, < 2.0"`.
 *
 * An operator is followed by at most one space, and by up to three numbers. `~> 1.2.3` means `>= 1.2.3, < 1.3.0`; `~> 1.2` means `>= 1.2.0,
 * < 2.0.0`, and `~> 1` means `>= 1.0.0, < 2.0.0`. There are no wildcards, no `v`, and no alternatives.
 *
 * @throws PluginHostError `INVALID_VERSION`, with the same text as in both CLIs.
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
 * Returns the canonical text, as lock files require: sorted by version, then by operator, without repetitions.
 *
 * @see OpenTofu internal/getproviders, VersionConstraintsString
 */
export function formatConstraints(constraints: VersionConstraints): string {
  return [...new Set([...constraints].sort(compareConstraints).map(formatConstraint))].join(", ");
}

/**
 * Whether a version meets all constraints. A pre-release meets them only if one of them names it with `=`; metadata is compared
 * only by `=` and `!=`.
 *
 * @see go-versions MeetingConstraints
 */
export function meetsConstraints(version: Version, constraints: VersionConstraints): boolean {
  const requested = constraints.some((constraint) => constraint.operator === "=" && isSame(version, constraint.version));
  return (version.prerelease === "" || requested) && constraints.every((constraint) => meets(version, constraint));
}

/** Returns the newest version that meets the constraints; undefined if no version does. */
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
  const suggestion = text === "=<" ? '; did you mean "<="?' : text === "=>" ? '; did you mean ">="?' : "";
  return refuse(`invalid constraint operator ${JSON.stringify(text)}${suggestion}`);
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

/** Order of operators in the canonical text: lower bounds come first. */
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
