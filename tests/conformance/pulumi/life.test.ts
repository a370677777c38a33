// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { livesPerProvider, runProvider, runTofuProvider, tofuLivesPerProvider, type LifeReport } from "./life-differential.ts";

const providers = Array.from({ length: 10 }, (_, provider) => provider);

describe("the lives of random resources", () => {
  test.for(providers)("are the same as under a core, with provider %i", async (provider, { expect }) => {
    const report: LifeReport = { ends: new Map(), failures: [] };
    await runProvider(report, 14, provider, livesPerProvider);
    expect(report.failures).toEqual([]);
    // Some lives go beyond the creation.
    expect(report.ends.get("refused") ?? 0).toBeLessThan(livesPerProvider);
  });
});

describePeer(["tofu"], "the lives of random resources under OpenTofu", ({ tofu }) => {
  // The third provider has unknown values in its plan.
  test.for([0, 1, 2])("are the same through the bridge, with provider %i", async (provider, { expect }) => {
    const report: LifeReport = { ends: new Map(), failures: [] };
    await runTofuProvider(tofu.path, report, 14, provider);
    expect(report.failures).toEqual([]);
    expect(report.ends.get("refused") ?? 0).toBeLessThan(tofuLivesPerProvider);
  });
});
