// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- pulumi-kills`.
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { killPlugins } from "./pulumi-kills-run.ts";
import { randomOf } from "./random.ts";

describePeer(["pulumi-engine"], "the engine's client of a plugin that is killed, or whose provider is", ({ "pulumi-engine": client }) => {
  test.skipIf(process.platform !== "linux")(
    "gets answers, and knows all that exists after a refresh",
    { timeout: 900_000 },
    async ({ expect }) => {
      const report = await killPlugins(client.path, 50, randomOf(7));
      expect(report.faults).toEqual([]);
      expect(report.killed["plugin"]).toBeGreaterThan(10);
      expect(report.killed["provider"]).toBeGreaterThan(10);
      expect(report.failed).toBeGreaterThan(0);
    },
  );
});
