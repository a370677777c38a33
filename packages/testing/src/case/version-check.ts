// SPDX-License-Identifier: Apache-2.0
import type { Core } from "../runner/runner.ts";
import { compareVersions, prereleaseOf } from "../runner/version.ts";

/** A version for each product, or one for both. A product without a version is not restricted. */
export type VersionBound = string | { readonly opentofu?: string; readonly terraform?: string };

/** The decision of a version check. */
export type VersionVerdict = { readonly kind: "run" } | { readonly kind: "skip" | "fail"; readonly reason: string };

/** Decides from the core of the runner whether a case runs. */
export type VersionCheck = (core: Core) => VersionVerdict;

const run: VersionVerdict = { kind: "run" };

/** Skips the case with versions below this one. */
export function skipBelow(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "skip", "at least", (order) => order >= 0);
}

/** Skips the case with versions above this one. */
export function skipAbove(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "skip", "at most", (order) => order <= 0);
}

/** Skips the case with versions from `first` to before `end`. */
export function skipBetween(first: VersionBound, end: VersionBound): VersionCheck {
  return compareWithRange(first, end, "skip", false);
}

/** Skips the case with this version. */
export function skipIf(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "skip", "another version than", (order) => order !== 0);
}

/** Skips the case with a release: it needs a pre-release. */
export function skipIfNotPrerelease(): VersionCheck {
  return (core) =>
    prereleaseOf(core.version) === "" ? { kind: "skip", reason: `the case needs a pre-release, not ${coreText(core)}` } : run;
}

/** Skips the case with a version that is no alpha. */
export function skipIfNotAlpha(): VersionCheck {
  return (core) =>
    prereleaseOf(core.version).includes("alpha") ? run : { kind: "skip", reason: `the case needs an alpha, not ${coreText(core)}` };
}

/** Fails the case with versions below this one. */
export function requireAbove(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "fail", "at least", (order) => order >= 0);
}

/** Fails the case with versions above this one. */
export function requireBelow(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "fail", "at most", (order) => order <= 0);
}

/** Fails the case with versions outside of `first` to before `end`. */
export function requireBetween(first: VersionBound, end: VersionBound): VersionCheck {
  return compareWithRange(first, end, "fail", true);
}

/** Fails the case with this version. */
export function requireNot(bound: VersionBound): VersionCheck {
  return compareWithBound(bound, "fail", "another version than", (order) => order !== 0);
}

/** Combines checks: runs the case if all of them run it. Otherwise the first verdict that does not decides. */
export function allOf(...checks: readonly VersionCheck[]): VersionCheck {
  return (core) => checks.map((check) => check(core)).find(({ kind }) => kind !== "run") ?? run;
}

/** Combines checks: runs the case if one of them runs it. Otherwise the first verdict decides. */
export function anyOf(...checks: readonly VersionCheck[]): VersionCheck {
  return (core) => {
    const verdicts = checks.map((check) => check(core));
    return verdicts.find(({ kind }) => kind === "run") ?? verdicts[0] ?? run;
  };
}

function compareWithBound(bound: VersionBound, kind: "skip" | "fail", words: string, accepts: (order: number) => boolean): VersionCheck {
  return (core) => {
    const version = boundFor(bound, core);
    if (version === undefined || accepts(compareVersions(core.version, version))) return run;
    return { kind, reason: `the case needs ${words} ${nameOf(core)} ${version}, not ${coreText(core)}` };
  };
}

function compareWithRange(first: VersionBound, end: VersionBound, kind: "skip" | "fail", isWanted: boolean): VersionCheck {
  return (core) => {
    const [low, high] = [boundFor(first, core), boundFor(end, core)];
    if (low === undefined || high === undefined) return run;
    const isInside = compareVersions(core.version, low) >= 0 && compareVersions(core.version, high) < 0;
    if (isInside === isWanted) return run;
    const words = isWanted ? "a version" : "no version";
    return { kind, reason: `the case needs ${words} of ${nameOf(core)} from ${low} to before ${high}, not ${coreText(core)}` };
  };
}

function boundFor(bound: VersionBound, { product }: Core): string | undefined {
  return typeof bound === "string" ? bound : bound[product];
}

function nameOf({ product }: Core): string {
  return product === "opentofu" ? "OpenTofu" : "Terraform";
}

function coreText(core: Core): string {
  return `${nameOf(core)} ${core.version}`;
}
