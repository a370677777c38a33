// SPDX-License-Identifier: Apache-2.0
// Plans, states and diagnostics of written configurations are those of tofu.
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
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

  for (const { name, steps } of pickedCases) {
    test(name, { timeout: 120_000 }, async ({ expect }) => {
      const reports = await runCase(sides, steps, { again: true });
      expect(reports.at(-1)!.differences).toEqual([]);
      expect(reports.filter(({ isAgain }) => !isAgain).length).toBe(steps.length);
    });
  }
});
