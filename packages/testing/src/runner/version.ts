// SPDX-License-Identifier: Apache-2.0

/**
 * Compares versions by their numbers; a pre-release precedes its release. Negative if `a` is older.
 *
 * @see https://semver.org, section 11
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.prerelease === second.prerelease) return 0;
  if (first.prerelease === "") return 1;
  if (second.prerelease === "") return -1;
  return first.prerelease < second.prerelease ? -1 : 1;
}

/** The pre-release of a version, such as `alpha20250101`; empty for a release. */
export function prereleaseOf(version: string): string {
  return partsOf(version).prerelease;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly prerelease: string } {
  const [release = "", prerelease = ""] = version.replace(/^v/, "").replace(/\+.*$/, "").split(/-(.*)/s);
  return { numbers: release.split(".").map(Number), prerelease };
}
