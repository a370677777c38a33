// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import type { Core } from "../runner/runner.ts";
import {
  allOf,
  anyOf,
  requireBelow,
  requireBetween,
  requireNot,
  skipAbove,
  skipBelow,
  skipBetween,
  skipIf,
  skipIfNotAlpha,
  skipIfNotPrerelease,
  type VersionCheck,
} from "./version-check.ts";

const tofu = (version: string): Core => ({ product: "opentofu", version });

describe("version checks", () => {
  test.for<[name: string, check: VersionCheck, runs: string, other: string, kind: "skip" | "fail"]>([
    ["skipBelow", skipBelow("1.10.0"), "1.10.0", "1.9.9", "skip"],
    ["skipBelow of a pre-release", skipBelow("1.10.0"), "1.10.1", "1.10.0-beta1", "skip"],
    ["skipAbove", skipAbove("1.10.0"), "1.10.0", "1.10.1", "skip"],
    ["skipBetween", skipBetween("1.8.0", "1.9.0"), "1.9.0", "1.8.5", "skip"],
    ["skipIf", skipIf("1.8.0"), "1.8.1", "1.8.0", "skip"],
    ["skipIfNotPrerelease", skipIfNotPrerelease(), "1.8.0-rc1", "1.8.0", "skip"],
    ["skipIfNotAlpha", skipIfNotAlpha(), "1.8.0-alpha20240101", "1.8.0-rc1", "skip"],
    ["requireBelow", requireBelow("1.8.0"), "1.7.0", "1.8.1", "fail"],
    ["requireBetween", requireBetween("1.8.0", "1.9.0"), "1.8.0", "1.9.0", "fail"],
    ["requireNot", requireNot("1.8.0"), "1.7.0", "1.8.0", "fail"],
    ["allOf", allOf(skipBelow("1.5.0"), skipAbove("1.6.0")), "1.6.0", "1.7.0", "skip"],
    ["anyOf", anyOf(skipBelow("1.9.0"), skipAbove("1.5.0")), "1.4.0", "1.7.0", "skip"],
  ])("%s", ([, check, runs, other, kind], { expect }) => {
    expect(check(tofu(runs))).toEqual({ kind: "run" });
    expect(check(tofu(other))).toMatchObject({ kind, reason: expect.stringContaining(`not OpenTofu ${other}`) });
  });

  test("of one product do not restrict the other", ({ expect }) => {
    expect(skipBelow({ terraform: "1.12.0" })(tofu("1.6.0"))).toEqual({ kind: "run" });
    expect(skipBelow({ terraform: "1.12.0" })({ product: "terraform", version: "1.11.4" })).toEqual({
      kind: "skip",
      reason: "the case needs at least Terraform 1.12.0, not Terraform 1.11.4",
    });
  });
});
