// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import type { TestSuiteResult } from "../suite.ts";
import { junitReport } from "./junit.ts";

test("junitReport counts errors of the configuration as one test", ({ expect }) => {
  const suite: TestSuiteResult = {
    status: "error",
    files: [],
    diagnostics: [
      { severity: "error", summary: 'Unsupported "block"', detail: "" },
      { severity: "warning", summary: "Deprecated", detail: "" },
    ],
    sources: new Map(),
  };
  const report = junitReport(suite);
  expect(report).toContain('<testsuites tests="1" failures="0" errors="1" skipped="0" time="0.000">');
  expect(report).toContain('<error message="Unsupported &quot;block&quot;">');
  expect(report).not.toContain("Deprecated");
});
