// SPDX-License-Identifier: Apache-2.0
import { CtyError, isMarked, isNull, isWhollyKnown, string, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type SourceRange } from "@tenon/hcl";
import type { Attribute } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { confidentialMarks } from "./confidential-marks.ts";
import { reportAll, reportError, type Report } from "./report.ts";

// OpenTofu has two version libraries, and Tenon follows both. This file follows hashicorp/go-version, with which OpenTofu reads
// configurations and selects OpenTofu and module versions. `@tenon/plugin-host/address` follows apparentlymart/go-versions, with which
// OpenTofu selects provider versions. They share no code, because the libraries disagree: only go-version accepts a leading `v`, more than
// three segments, spaces anywhere, and a pre-release in a range whose boundary is a pre-release of the same version. Each orders
// pre-releases in its own way.

/** Versions that a module accepts of OpenTofu, of a provider or of a module: `>= 1.2, < 2.0`. */
export interface VersionRequirement {
  /** The comparisons that a version must all meet. Empty if every version is accepted. */
  readonly comparisons: readonly VersionComparison[];
  /** The range of the attribute. */
  readonly range: SourceRange;
}

/** One comparison of a version with a boundary. */
export interface VersionComparison {
  readonly operator: "=" | "!=" | ">" | "<" | ">=" | "<=" | "~>";
  readonly boundary: ComparableVersion;
  /** The original text, including spaces. */
  readonly text: string;
}

/** A version with any number of segments. */
export interface ComparableVersion {
  /** At least three segments; omitted ones are zero. */
  readonly segments: readonly number[];
  /** The number of segments in the text. */
  readonly written: number;
  /** The pre-release without its `-`; empty for a release. */
  readonly prerelease: string;
}

const versionPattern =
  "v?([0-9]+(?:\\.[0-9]+)*?)(?:-([0-9]+[0-9A-Za-z\\-~]*(?:\\.[0-9A-Za-z\\-~]+)*)|(?:-?([A-Za-z\\-~]+[0-9A-Za-z\\-~]*(?:\\.[0-9A-Za-z\\-~]+)*)))?(?:\\+[0-9A-Za-z\\-~]+(?:\\.[0-9A-Za-z\\-~]+)*)?";
const comparisonPattern = new RegExp(`^\\s*(<=|>=|!=|~>|<|>|=|)\\s*${versionPattern}\\s*$`);
const wholeVersionPattern = new RegExp(`^${versionPattern}$`);

/** Reads comma-separated constraints; undefined if the text is malformed. @see hashicorp/go-version NewConstraint */
export function parseVersionRequirement(text: string): readonly VersionComparison[] | undefined {
  const comparisons: VersionComparison[] = [];
  for (const part of text.split(",")) {
    const match = comparisonPattern.exec(part);
    if (match === null) return undefined;
    const boundary = versionOf(match[2]!, match[3] ?? match[4] ?? "");
    if (boundary === undefined) return undefined;
    comparisons.push({ operator: (match[1] || "=") as VersionComparison["operator"], boundary, text: part });
  }
  return comparisons;
}

/** Reads one version; undefined if the text is malformed. @see hashicorp/go-version NewVersion */
export function parseComparableVersion(text: string): ComparableVersion | undefined {
  const match = wholeVersionPattern.exec(text);
  return match === null ? undefined : versionOf(match[1]!, match[2] ?? match[3] ?? "");
}

function versionOf(numbers: string, prerelease: string): ComparableVersion | undefined {
  const segments = numbers.split(".").map(Number);
  if (!segments.every(Number.isSafeInteger)) return undefined;
  const written = segments.length;
  while (segments.length < 3) segments.push(0);
  return { segments, written, prerelease };
}

/** Formats constraints with their original texts. */
export function formatVersionRequirement(comparisons: readonly VersionComparison[]): string {
  return comparisons.map(({ text }) => text).join(",");
}

/** Whether a version meets all comparisons. @see hashicorp/go-version Constraints.Check */
export function versionMeets(version: ComparableVersion, comparisons: readonly VersionComparison[]): boolean {
  return comparisons.every((comparison) => meets(version, comparison));
}

function meets(version: ComparableVersion, { operator, boundary }: VersionComparison): boolean {
  const order = compareVersions(version, boundary);
  if (operator === "=") return order === 0;
  if (operator === "!=") return order !== 0;
  const isPrerelease = version.prerelease !== "";
  if (isPrerelease && (boundary.prerelease === "" || !sameSegments(version, boundary))) return false;
  switch (operator) {
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    default: {
      if ((boundary.prerelease !== "" && !isPrerelease) || order < 0) return false;
      const last = boundary.segments.length - 1;
      if (last >= version.segments.length) return false;
      for (let index = 0; index < boundary.written - 1; index++) {
        if (version.segments[index] !== boundary.segments[index]) return false;
      }
      return boundary.segments[last]! <= version.segments[last]!;
    }
  }
}

function sameSegments(a: ComparableVersion, b: ComparableVersion): boolean {
  return a.segments.length === b.segments.length && a.segments.every((segment, index) => segment === b.segments[index]);
}

/** Compares two versions: negative if `a` is older. @see hashicorp/go-version Version.Compare */
export function compareVersions(a: ComparableVersion, b: ComparableVersion): number {
  for (let index = 0; index < Math.max(a.segments.length, b.segments.length); index++) {
    const difference = (a.segments[index] ?? 0) - (b.segments[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === "") return 1;
  if (b.prerelease === "") return -1;
  return comparePrereleases(a.prerelease.split("."), b.prerelease.split("."));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    if (left === undefined) return isNumeric(right!) ? 1 : -1;
    if (right === undefined) return isNumeric(left) ? -1 : 1;
    if (isNumeric(left) !== isNumeric(right)) return isNumeric(left) ? -1 : 1;
    if (isNumeric(left)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return 0;
}

function isNumeric(part: string): boolean {
  return /^[0-9]+$/.test(part);
}

/** Reads the requirement of an attribute without references. @see OpenTofu configs, decodeVersionConstraint */
export function readVersionRequirement(attribute: Attribute, report: Report): VersionRequirement | undefined {
  const { value, diagnostics } = evaluate(attribute.expression);
  reportAll(report, diagnostics);
  return hasErrors(diagnostics) ? undefined : versionRequirementOf(attribute, value, report);
}

/** Reads the requirement from an attribute's value. Returns undefined and reports an error if it is invalid. */
export function versionRequirementOf(attribute: Attribute, value: Value, report: Report): VersionRequirement | undefined {
  const { name, expression, range } = attribute;
  const invalid = (detail: string): undefined => {
    reportError(report, "Invalid version constraint", detail, expression.range);
    return undefined;
  };
  for (const { mark, word, adjective } of confidentialMarks) {
    if (isMarked(value, mark))
      return invalid(`${word} values, or values derived from ${adjective} values, cannot be used as ${name} arguments.`);
  }
  let text: Value;
  try {
    text = convert(value, string);
  } catch (error) {
    if (error instanceof CtyError) return invalid(`A string value is required for ${name}.`);
    throw error;
  }
  if (isNull(text) || !isWhollyKnown(text)) return { comparisons: [], range };
  const comparisons = parseVersionRequirement(text.payload as string);
  return comparisons === undefined ? invalid("This string does not use correct version constraint syntax.") : { comparisons, range };
}
