// SPDX-License-Identifier: Apache-2.0

/** State of the repository right before a release. */
export interface ReleaseState {
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** Whether its package.json has a `repository` field. */
    readonly hasRepository: boolean;
    /** Whether it has a CHANGELOG.md. */
    readonly hasChangelog: boolean;
  }[];
  /** File names of the pending changesets. */
  readonly changesets: readonly string[];
  /** Lines of `git status --porcelain`. */
  readonly uncommitted: readonly string[];
}

/** Returns the steps that remain before the packages can be published, one sentence each. */
export function releaseBlockers({ packages, changesets, uncommitted }: ReleaseState): readonly string[] {
  const blockers: string[] = [];
  const without = (field: "hasRepository" | "hasChangelog"): string =>
    packages
      .filter((pack) => !pack[field])
      .map(({ name }) => name)
      .join(", ");
  if (changesets.length > 0) blockers.push(`run \`changeset version\`: ${changesets.length} changesets are pending`);
  const unversioned = packages.filter(({ version }) => version === "0.0.0").map(({ name }) => name);
  if (unversioned.length > 0) blockers.push(`give a version to ${unversioned.join(", ")}: 0.0.0 is never published`);
  if (without("hasChangelog") !== "") blockers.push(`write a CHANGELOG.md for ${without("hasChangelog")}`);
  if (without("hasRepository") !== "")
    blockers.push(`add \`repository\` to the package.json of ${without("hasRepository")}: provenance names the repository`);
  if (uncommitted.length > 0) blockers.push(`commit or remove ${uncommitted.length} changed files`);
  return blockers;
}
