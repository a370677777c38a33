// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { compareVersions, formatVersion, parseVersion } from "./version.ts";
import { formatConstraints, meetsConstraints, newestVersion, parseConstraints } from "./version-constraints.ts";

describe("parseVersion", () => {
  test.for([
    ["1", "1.0.0"],
    ["1.2", "1.2.0"],
    ["1.2.3-rc.1+build.5", "1.2.3-rc.1+build.5"],
    ["1.", "1.0.0"],
    ["1.2.3-", "1.2.3"],
  ])("reads %j as %s", ([text, version], { expect }) => {
    expect(formatVersion(parseVersion(text!))).toBe(version);
  });

  test.for([
    ["", "empty specification"],
    ["v1.0.0", 'a "v" prefix should not be used'],
    [" 1.0.0", "extraneous spaces at start of specification"],
    ["1.0.0 ", "extraneous spaces at end of specification"],
    [">= 1.0.0", `can't use constraint operator ">="; an exact version is required`],
    ["=1.0.0", 'invalid sequence "=" at start of specification'],
    ["1.0.0, 2.0.0", "can't specify multiple versions; a single exact version is required"],
    ["1.0.0 - 2.0.0", "can't specify version range; a single exact version is required"],
    ["1.2.3.4", "too many numbered portions; only three are allowed (major, minor, patch)"],
    ["1.x", "can't use wildcard for minor number; an exact version is required"],
    ["latest", "invalid specification; required format is three positive integers separated by periods"],
    ["1.0.0_1", 'invalid characters "_1"'],
    ["99999999999999999999", "the number 99999999999999999999 is too large"],
  ])("rejects %j", ([text, reason], { expect }) => {
    expect(() => parseVersion(text!)).toThrow(
      expect.objectContaining({ code: "INVALID_VERSION", message: expect.stringContaining(reason!) }),
    );
  });

  test("orders versions as both CLIs do", ({ expect }) => {
    const inOrder = [
      "0.9.0",
      "1.0.0-1",
      "1.0.0-02",
      "1.0.0-10",
      "1.0.0-alpha",
      "1.0.0-beta",
      "1.0.0-alpha.1",
      "1.0.0",
      "1.0.1",
      "1.10.0",
      "2.0.0",
    ];
    const sorted = inOrder.toReversed().map(parseVersion).sort(compareVersions).map(formatVersion);
    expect(sorted).toEqual(inOrder);
    expect(compareVersions(parseVersion("1.0.0+a"), parseVersion("1.0.0+b"))).toBe(0);
  });
});

describe("parseConstraints", () => {
  test.for([
    ["", ""],
    ["1.0", "1.0.0"],
    ["<2.0,>= 1", ">= 1.0.0, < 2.0.0"],
    ["~> 2", "~> 2.0"],
    ["~>2.0.0, ~> 2.0, = 2.0.0", "2.0.0, ~> 2.0.0, ~> 2.0"],
    ["> 1.0, > 1.0.0", "> 1.0.0"],
    ["!= 1.0.0-beta+x", "!= 1.0.0-beta+x"],
    ["~> 1.2-rc1", "~> 1.2-rc1"],
    [">= ", ">= 0.0.0"],
    ["1.0,", "1.0.0"],
  ])("reads %j as %j", ([text, canonical], { expect }) => {
    expect(formatConstraints(parseConstraints(text!))).toBe(canonical);
    expect(formatConstraints(parseConstraints(canonical!))).toBe(canonical);
  });

  test.for([
    ["=> 1", 'invalid constraint operator "=>"; did you mean ">="?'],
    ["=< 1", 'invalid constraint operator "=<"; did you mean "<="?'],
    ["^1.0", 'invalid constraint operator "^"'],
    [">=  1", 'only one space is expected after the operator ">="'],
    [">= v1", 'a "v" prefix should not be used when specifying versions'],
    ["v1", 'a "v" prefix should not be used when specifying versions'],
    ["1.*", "can't use wildcard for minor number; omit segments that should be unconstrained"],
    ["1.2.3.4", "too many numbered portions; only three are allowed (major, minor, patch)"],
    ["1.0 2.0", 'missing comma after "1.0"'],
    ["1.0 || 2.0", 'missing comma after "1.0"'],
  ])("rejects %j", ([text, reason], { expect }) => {
    expect(() => parseConstraints(text!)).toThrow(
      expect.objectContaining({ code: "INVALID_VERSION", message: expect.stringContaining(reason!) }),
    );
  });

  test.for([
    ["~> 1.2.3", ["1.2.3", "1.2.99"], ["1.2.2", "1.3.0", "1.3.0-rc1"]],
    ["~> 1.2", ["1.2.0", "1.99.0"], ["1.1.9", "2.0.0", "2.0.0-rc1"]],
    ["~> 1", ["1.0.0", "1.99.0"], ["0.9.0", "2.0.0"]],
    [">= 1.0, != 1.5.0, < 2", ["1.0.0", "1.5.1"], ["1.5.0", "2.0.0", "1.6.0-beta"]],
    ["= 1.0.0-beta", ["1.0.0-beta"], ["1.0.0", "1.0.0-beta2"]],
    ["= 1.0.0-beta, > 2", [], ["1.0.0-beta"]],
    ["1.0.0+a", ["1.0.0+a"], ["1.0.0+b", "1.0.0"]],
    [">= 1.0.0+a", ["1.0.0+b", "1.0.0"], []],
    ["", ["0.0.1"], ["0.0.1-alpha"]],
  ] as const)("%j accepts %j and rejects %j", ([text, met, unmet], { expect }) => {
    const constraints = parseConstraints(text);
    for (const version of met) expect(meetsConstraints(parseVersion(version), constraints), version).toBe(true);
    for (const version of unmet) expect(meetsConstraints(parseVersion(version), constraints), version).toBe(false);
  });

  test("newestVersion returns the newest version that meets the constraints", ({ expect }) => {
    const versions = ["1.0.0", "1.10.0", "1.9.0", "2.0.0-rc1", "2.0.0"].map(parseVersion);
    expect(newestVersion(versions, parseConstraints("~> 1.0"))).toMatchObject({ minor: 10 });
    expect(newestVersion(versions, parseConstraints("> 2"))).toBeUndefined();
  });
});
