// SPDX-License-Identifier: Apache-2.0
// Whole configurations, changed step by step, have the same plans, states and diagnostics in the engine and in tofu.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { differenceNames } from "./differences.ts";
import { failureLines, reportLines, runDifferential } from "./differential.ts";
import { differentialPeers, peerProviderPaths } from "./peer-providers.ts";
import { normalizations } from "./normalize.ts";

/**
 * The seed is fixed; `npm run fuzz -- engine` makes new cases and may find unknown differences.
 */
const cases = [...Array(50).keys()];
const run = { seed: 20264, steps: 3, again: false, parallel: 4, minimize: false };

describePeer(differentialPeers, "the engine beside tofu", (peers) => {
  test("agrees on fifty generated configurations, apart from named differences", { timeout: 600_000 }, async ({ expect }) => {
    const report = await runDifferential({ tofu: peers.tofu.path, providers: peerProviderPaths((name) => peers[name].path) }, run, cases);
    console.log(reportLines(report).join("\n"));
    expect(failureLines(report, run).join("\n")).toBe("");
    // A run of failing plans would prove nothing.
    expect(report.distribution.count("outcomes", "applied")).toBeGreaterThan(report.steps / 2);
  });
});

test("each kept difference and each normalisation is documented", ({ expect }) => {
  const page = readFileSync(join(import.meta.dirname, "../../../packages/engine/docs/differences.md"), "utf8");
  for (const name of differenceNames) expect(page).toContain(`| \`${name}\` |`);
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  for (const name of Object.keys(normalizations)) expect(readme).toContain(`| \`${name}\` |`);
});
