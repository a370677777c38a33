// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { createReport, tryCases } from "./trial.ts";

test("damaged frames neither crash nor hold up either end", { timeout: 120_000 }, async ({ expect }) => {
  const report = createReport();
  await tryCases(report, 1, 0, 250);
  expect(report.failures).toEqual([]);
  // They were not all turned away, nor all let through.
  for (const outcome of ["server ended", "server violated", "client answered", "client failed"]) {
    expect(report.distribution.get(outcome), outcome).toBeGreaterThan(20);
  }
});
