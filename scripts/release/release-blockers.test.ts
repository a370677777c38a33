// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { releaseBlockers } from "./release-blockers.ts";

describe("releaseBlockers", () => {
  const ready = { name: "@tenon/cty", version: "0.1.0", hasRepository: true, hasChangelog: true };

  test("finds nothing when every package is ready", ({ expect }) => {
    expect(releaseBlockers({ packages: [ready], changesets: [], uncommitted: [] })).toEqual([]);
  });

  test.for([
    [{ changesets: ["cty.md"] }, "run `changeset version`: 1 changesets are pending"],
    [{ packages: [{ ...ready, version: "0.0.0" }] }, "give a version to @tenon/cty: 0.0.0 is never published"],
    [{ packages: [{ ...ready, hasChangelog: false }] }, "write a CHANGELOG.md for @tenon/cty"],
    [
      { packages: [{ ...ready, hasRepository: false }] },
      "add `repository` to the package.json of @tenon/cty: provenance names the repository",
    ],
    [{ uncommitted: [" M README.md"] }, "commit or remove 1 changed files"],
  ] as const)("finds %j", ([difference, blocker], { expect }) => {
    expect(releaseBlockers({ packages: [ready], changesets: [], uncommitted: [], ...difference })).toEqual([blocker]);
  });
});
