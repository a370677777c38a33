// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { createReport, tryCases } from "./trial.ts";

test("damaged frames neither crash nor block the client and the server", { timeout: 120_000 }, async ({ expect }) => {
  const report = createReport();
  await tryCases(report, 1, 0, 250);
  expect(report.failures).toEqual([]);
  // Every outcome must occur.
  for (const outcome of ["server ended", "server violated", "client answered", "client failed"]) {
    expect(report.distribution.get(outcome), outcome).toBeGreaterThan(20);
  }
});
