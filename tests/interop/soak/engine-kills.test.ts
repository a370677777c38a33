// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- engine-kills`.
import { test } from "vitest";
import { killApplies } from "./engine-kills-run.ts";
import { randomOf } from "./random.ts";

test("a run after a kill knows all that exists, and makes nothing twice", { timeout: 300_000 }, async ({ expect }) => {
  const report = await killApplies(50, randomOf(7));
  expect(report.faults).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(50);
  expect(report.recovered).toBeGreaterThan(0);
  expect(report.orphans).toBeGreaterThan(0);
  // Changes that wait for each other are rare.
  expect(report.refused).toBeLessThan(3);
});
