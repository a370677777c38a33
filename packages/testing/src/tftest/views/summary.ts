// SPDX-License-Identifier: Apache-2.0
import { statusWord, type TestStatus } from "../status.ts";
import type { TestSuiteResult } from "../suite.ts";

/** Numbers of run blocks by status. */
export interface RunCounts {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly skipped: number;
}

/** Counts the run blocks of a suite. */
export function countRuns({ files }: Pick<TestSuiteResult, "files">): RunCounts {
  const count = (status: TestStatus): number => files.flatMap(({ runs }) => runs).filter((run) => run.status === status).length;
  return { passed: count("pass"), failed: count("fail"), errored: count("error"), skipped: count("skip") };
}

/** The last sentence about a suite: `Success! 2 passed, 0 failed.` @see OpenTofu views, TestHuman.Conclusion */
export function summaryText(suite: TestSuiteResult, style: (status: TestStatus, word: string) => string = (_, word) => word): string {
  const { passed, failed, errored, skipped } = countRuns(suite);
  const rest = skipped > 0 ? `, ${skipped} skipped.` : ".";
  if (suite.status === "pending" || suite.status === "skip") return `Executed 0 tests${rest}`;
  const word = statusWord(suite.status) === "pass" ? "Success!" : "Failure!";
  return `${style(suite.status, word)} ${passed} passed, ${failed + errored} failed${rest}`;
}
