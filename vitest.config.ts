// SPDX-License-Identifier: Apache-2.0
import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { LongFilesFirst } from "./scripts/test-order.ts";

/** One project a workspace, all in one run; sources are tested as they are, nothing has to be built first. */
const config: ViteUserConfig = defineConfig({
  test: {
    projects: ["packages/*", "apps/examples/*", "tests/*", "scripts"].map((folder) => ({
      extends: true as const,
      test: {
        name: folder,
        // Far above what a test takes, because other work may keep the cores busy.
        testTimeout: folder === "tests/*" ? 120_000 : 60_000,
        include: [`${folder}/**/*.test.ts`],
        exclude: ["**/node_modules/**", "**/dist/**", "**/.build/**"],
      },
    })),
    reporters: ["default", "./scripts/skipped-reporter.ts"],
    // One more than there are cores, because many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    hookTimeout: 120_000,
    // The default is one second, which a process on a busy machine exceeds.
    expect: { poll: { timeout: 30_000 } },
  },
});

export default config;
