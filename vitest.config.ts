// SPDX-License-Identifier: Apache-2.0
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** One project a workspace, all in one run; sources are tested as they are, nothing has to be built first. */
const config: ViteUserConfig = defineConfig({
  test: {
    projects: ["packages/*", "apps/examples/*", "tests/*"].map((folder) => ({
      extends: true as const,
      test: {
        name: folder,
        testTimeout: folder === "tests/*" ? 120_000 : 20_000,
        include: [`${folder}/**/*.test.ts`],
        exclude: ["**/node_modules/**", "**/dist/**", "**/.build/**"],
      },
    })),
    reporters: ["default", "./scripts/skipped-reporter.ts"],
    hookTimeout: 120_000,
  },
});

export default config;
