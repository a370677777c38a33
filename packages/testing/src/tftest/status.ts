// SPDX-License-Identifier: Apache-2.0

/** The status of a run block, a test file or a suite, in increasing order of precedence. */
export type TestStatus = "pending" | "skip" | "pass" | "fail" | "error";

const order: readonly TestStatus[] = ["pending", "skip", "pass", "fail", "error"];

/** The status with the higher precedence. @see OpenTofu moduletest, Status.Merge */
export function mergeStatus(a: TestStatus, b: TestStatus): TestStatus {
  return order.indexOf(b) > order.indexOf(a) ? b : a;
}

/** The word for a status in texts: `fail` for an error, too. */
export function statusWord(status: TestStatus): "pending" | "skip" | "pass" | "fail" {
  return status === "error" ? "fail" : status;
}
