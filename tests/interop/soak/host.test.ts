// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- host`.
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { measureHostMemory } from "./calling-host.ts";
import { killRepeatedly } from "./killed-provider.ts";

describePeer(["framework-provider"], "our host under many calls", ({ "framework-provider": { path } }) => {
  test("ends every call of a killed provider, and leaks no files or processes", { timeout: 180_000 }, async ({ expect }) => {
    const report = await killRepeatedly(path, 100, Math.random);
    expect(report.wrong).toEqual([]);
    expect(report.refused).toBeGreaterThan(100);
    expect(report.descriptors).toBeLessThanOrEqual(2);
    expect(report.socketFolders).toBe(0);
  });

  test("does not leak memory", { timeout: 180_000 }, async ({ expect, signal }) => {
    const memory = await measureHostMemory(path, 20_000, signal);
    expect(memory).toHaveLength(2);
    expect(memory[1]!.residentMiB / memory[0]!.residentMiB).toBeLessThan(1.1);
  });
});
