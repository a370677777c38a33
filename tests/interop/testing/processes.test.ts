// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import type { ProviderFactory } from "@tenon/schema";
import { configStep, expectKnownValue, importStep, refreshStep, runTestCase } from "@tenon/testing";
import { test } from "vitest";

describePeer(["framework-provider"], "the processes of a case over a provider in Go", (peers) => {
  test("are one for each operation, one after another, and none remains", async ({ expect, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "case-processes-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pids: number[] = [];
    let running = 0;
    const framework: ProviderFactory = async () => {
      const provider = await launchProvider({ command: peers["framework-provider"].path, autoMtls: false });
      pids.push(provider.pid);
      running += 1;
      expect(running).toBe(1);
      return { ...provider, close: async () => (await provider.close(), void (running -= 1)) };
    };
    const configuration = (size: number): string =>
      `provider "framework" {\n  directory = "${folder}"\n}\nresource "framework_record" "a" {\n  name = "a"\n  size = ${size}\n}\n`;
    await runTestCase({
      providers: { framework },
      runner: "in-process",
      steps: [
        configStep(configuration(1), { stateChecks: [expectKnownValue("framework_record.a", "size", 1)] }),
        configStep(configuration(2)),
        refreshStep(),
        importStep("framework_record.a", { verifyIgnore: ["note"] }),
      ],
    });
    // Each configuration: a plan with its apply, and two plans. The refresh, and the plan after it. The import. The destruction.
    expect(pids).toHaveLength(3 + 3 + 2 + 1 + 1);
    expect(new Set(pids).size).toBe(pids.length);
    expect(running).toBe(0);
  });
});
