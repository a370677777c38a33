// SPDX-License-Identifier: Apache-2.0
// Plans, states and diagnostics of written configurations are those of tofu.
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { marksOfDeprecatedOutputs } from "./picked/dependencies.ts";
import { pickedCases, pickedTypes } from "./picked-cases.ts";
import { differentialPeers, peerProviderPaths } from "./peer-providers.ts";
import { runCase } from "./run-case.ts";
import { Sides } from "./sides.ts";

describePeer(differentialPeers, "the engine and tofu agree on", (peers) => {
  let sides: Sides;

  beforeAll(async () => {
    sides = await Sides.start({ tofu: peers.tofu.path, providers: peerProviderPaths((name) => peers[name].path) }, pickedTypes);
  });
  afterAll(() => sides[Symbol.dispose]());

  test("all but the marks of deprecated outputs: `marks-of-deprecated-outputs`", { timeout: 120_000 }, async ({ expect }) => {
    const [sensitive, ephemeral] = await Promise.all(marksOfDeprecatedOutputs.map((one) => runCase(sides, [one], { again: false })));
    expect(sensitive![0]!.theirs.planText).toMatch(/string = "hidden"/);
    expect(sensitive![0]!.ours.planText).toMatch(/string = \(sensitive value\)/);
    expect(ephemeral![0]!.theirs.planText).toMatch(/string = "hidden"/);
    expect(ephemeral![0]!.ours.planDiagnostics).toContainEqual(
      expect.objectContaining({ severity: "error", summary: "Ephemeral value used in non-ephemeral context" }),
    );
  });

  for (const { name, steps } of pickedCases) {
    test(name, { timeout: 120_000 }, async ({ expect }) => {
      const reports = await runCase(sides, steps, { again: true });
      expect(reports.at(-1)!.differences).toEqual([]);
      expect(reports.filter(({ isAgain }) => !isAgain).length).toBe(steps.length);
    });
  }
});
