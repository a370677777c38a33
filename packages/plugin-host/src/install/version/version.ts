// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { isWildcard, numberNames, scanVersion } from "./version-scan.ts";

/** The version of a provider, as in Semantic Versioning 2.0.0. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The pre-release without its `-`. Empty for a release. */
  readonly prerelease: string;
  /** The build metadata without its `+`. Versions are ordered without it. */
  readonly metadata: string;
}

/**
 * Reads one exact version. Omitted minor and patch numbers are zero.
 *
 * @throws PluginHostError `INVALID_VERSION`
 * @see go-versions ParseVersion
 *
 * @example
 * formatVersion(parseVersion("1.2-rc1")); // => "1.2.0-rc1"
 */
export function parseVersion(text: string): Version {
  const refuse = (reason: string): never => {
    throw new PluginHostError("INVALID_VERSION", `${JSON.stringify(text)} is not a version: ${reason}`);
  };
  if (text.trim() === "") refuse("empty specification");
  const { operator, separator, numbers, prerelease, metadata, rest } = scanVersion(text);
  if (constraintOperators.has(operator)) {
    refuse(`can't use constraint operator ${JSON.stringify(operator)}; an exact version is required`);
  }
  if (operator !== "") refuse(`invalid sequence ${JSON.stringify(operator)} at start of specification`);
  if (separator.includes("v")) refuse('a "v" prefix should not be used');
  if (separator !== "") refuse("extraneous spaces at start of specification");
  if (rest !== "") refuse(describeRest(text, rest.trim()));
  if (numbers.length > 3) refuse("too many numbered portions; only three are allowed (major, minor, patch)");
  const wildcard = numbers.findIndex(isWildcard);
  if (wildcard !== -1) refuse(`can't use wildcard for ${numberNames[wildcard]} number; an exact version is required`);
  const number = (index: number): number => safeNumber(numbers[index] ?? "0", refuse);
  return { major: number(0), minor: number(1), patch: number(2), prerelease, metadata };
}

/** Like {@link parseVersion}, but returns undefined for an invalid version, such as a file name or a tag. */
export function tryParseVersion(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}

/** Returns the canonical text: three numbers, then pre-release and metadata if present. */
export function formatVersion({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === "" ? "" : `-${prerelease}`}${metadata === "" ? "" : `+${metadata}`}`;
}

/**
 * Compares two versions: negative if `left` comes first, zero if they differ at most in metadata. A pre-release comes before its release.
 *
 * @see go-versions Version.LessThan
 */
export function compareVersions(left: Version, right: Version): number {
  const numbers = left.major - right.major || left.minor - right.minor || left.patch - right.patch;
  if (numbers !== 0 || left.prerelease === right.prerelease) return numbers;
  if (left.prerelease === "") return 1;
  if (right.prerelease === "") return -1;
  return compareExtras(left.prerelease, right.prerelease);
}

/**
 * Compares pre-releases or metadata part by part; numbers come before words.
 * When only one side has reached its last part, that side comes first, and the parts at that position are not compared: `beta` comes before
 * `alpha.1`. This differs from Semantic Versioning, but both CLIs do it.
 *
 * @see go-versions VersionExtra.LessThan
 */
export function compareExtras(left: string, right: string): number {
  const leftParts = left.split(".");
  const rightParts = right.split(".");
  for (const [index, part] of leftParts.entries()) {
    const leftEnds = index === leftParts.length - 1;
    const rightEnds = index === rightParts.length - 1;
    if (leftEnds !== rightEnds) return leftEnds ? -1 : 1;
    const difference = compareParts(part, rightParts[index] ?? "");
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Parses one number of a version. Calls `refuse` for a number that is not a safe integer. */
export function safeNumber(digits: string, refuse: (reason: string) => never): number {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : refuse(`the number ${digits} is too large`);
}

const constraintOperators: ReadonlySet<string> = new Set([">", ">=", "<", "<=", "!", "!=", "~>", "^", "~"]);

function describeRest(text: string, rest: string): string {
  if (rest === "") return "extraneous spaces at end of specification";
  if (rest.startsWith(",") || rest.startsWith("|")) return "can't specify multiple versions; a single exact version is required";
  if (rest.startsWith("-")) return "can't specify version range; a single exact version is required";
  if (text.trim().startsWith(rest)) return "invalid specification; required format is three positive integers separated by periods";
  return `invalid characters ${JSON.stringify(rest)}`;
}

function compareParts(left: string, right: string): number {
  const leftIsNumber = /^[0-9]+$/.test(left);
  const rightIsNumber = /^[0-9]+$/.test(right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  if (leftIsNumber && left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
