// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { createReport, failureLines, reportLines, tryProvider } from "./differential.ts";

/**
 * Ten providers, each with five resources, two data sources and a configuration. The seed is fixed; `npm run fuzz -- provider`
 * generates new ones and may find unknown deviations.
 */
const providers = 10;
const run = { resources: 5, dataSources: 2, calls: 100, seed: 20261 };

describePeer(["framework-from-json"], "two providers from one declaration", () => {
  test("give equal responses to a thousand calls, apart from named deviations", { timeout: 600_000 }, async ({ expect }) => {
    const report = createReport();
    console.log(`seed ${run.seed}`);
    for (let provider = 0; provider < providers; provider++) await tryProvider(report, provider, run);
    console.log(reportLines(report).join("\n"));
    expect(failureLines(report, run).join("\n")).toBe("");
    expect(report.passed).toBeGreaterThanOrEqual(providers * run.calls);
    // A run with few plans would prove nothing.
    for (const sort of ["create", "update", "replace", "no-op"])
      expect(report.distribution.share("PlanResourceChange", sort)).toBeGreaterThan(0.02);
  });
});
