// SPDX-License-Identifier: Apache-2.0
/**
 * Test files of the language: `.tftest.hcl`, `.tofutest.hcl` and the same with `.json`, run as `tofu test` runs them.
 *
 * @module
 */
export { runTestFiles, type RunTestFilesOptions } from "./run-test-files.ts";
export type { TestStatus } from "./status.ts";
export type {
  CleanupResult,
  Interruption,
  RunDocument,
  RunObjects,
  TestEvent,
  TestFileResult,
  TestRunResult,
  TestSuiteResult,
} from "./suite.ts";
export type { DiagnosticGrouping } from "./views/shown-diagnostics.ts";
export { junitReport } from "./views/junit.ts";
export { TestLog, type TestLogOptions } from "./views/test-log.ts";
export { testText, type StreamText, type TestTextOptions } from "./views/test-text.ts";
