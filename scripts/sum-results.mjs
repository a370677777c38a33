// SPDX-License-Identifier: Apache-2.0
// Adds up the results of `.ci/run`: vitest's JSON report and the last line of the checks. A runner that fails without a failed test
// counts as one failure; a run without any result is a failure, too.
import { existsSync, readFileSync } from "node:fs";

const [results, testsExit, checkLog, checksExit] = process.argv.slice(2);
let passed = 0;
let failed = 0;

const report = existsSync(results) ? readFileSync(results, "utf8") : "";
if (report !== "") {
  const { numPassedTests, numFailedTests } = JSON.parse(report);
  passed += numPassedTests;
  failed += numFailedTests;
}
if (passed === 0 || (testsExit !== "0" && failed === 0)) failed += 1;

const checks = /^checks: (\d+) passed, (\d+) failed$/m.exec(existsSync(checkLog) ? readFileSync(checkLog, "utf8") : "");
passed += Number(checks?.[1] ?? 0);
const failedChecks = Number(checks?.[2] ?? 0);
failed += failedChecks > 0 || checksExit === "0" ? failedChecks : 1;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
