// SPDX-License-Identifier: Apache-2.0
// `npm run soak -- host` in short.
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { hostMemory } from "./calling-host.ts";
import { killOften } from "./killed-provider.ts";

describePeer(["framework-provider"], "our host, for long", ({ "framework-provider": { path } }) => {
  test("ends every call of a provider that is killed, and leaves nothing of it", { timeout: 180_000 }, async ({ expect }) => {
    const report = await killOften(path, 100, Math.random);
    expect(report.wrong).toEqual([]);
    expect(report.refused).toBeGreaterThan(100);
    expect(report.descriptors).toBeLessThanOrEqual(2);
    expect(report.socketFolders).toBe(0);
  });

  test("keeps its memory", { timeout: 180_000 }, async ({ expect, signal }) => {
    const memory = await hostMemory(path, 20_000, signal);
    expect(memory).toHaveLength(2);
    expect(memory[1]!.residentMiB / memory[0]!.residentMiB).toBeLessThan(1.1);
  });
});
