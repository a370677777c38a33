// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { createReport, failureLines, reportLines, tryProvider } from "./differential.ts";

/**
 * Ten providers of five resources and two data sources each, and of a configuration of their own. They are the same ten each time:
 * fresh ones are for `npm run fuzz -- provider`, which may still find what has no name yet.
 */
const providers = 10;
const run = { resources: 5, dataSources: 2, calls: 100, seed: 20261 };

describePeer(["framework-from-json"], "two providers from one declaration", () => {
  test("answer a thousand calls alike, but for what is named", { timeout: 300_000 }, async ({ expect }) => {
    const report = createReport();
    console.log(`seed ${run.seed}`);
    for (let provider = 0; provider < providers; provider++) await tryProvider(report, provider, run);
    console.log(reportLines(report).join("\n"));
    expect(failureLines(report, run).join("\n")).toBe("");
    expect(report.passed).toBeGreaterThanOrEqual(providers * run.calls);
    // A run in which hardly anything was planned would prove nothing.
    for (const sort of ["create", "update", "replace", "no-op"])
      expect(report.distribution.share("PlanResourceChange", sort)).toBeGreaterThan(0.02);
  });
});
