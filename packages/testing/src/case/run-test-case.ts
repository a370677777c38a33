// SPDX-License-Identifier: Apache-2.0
import { type CallSite, callSite, withSite } from "../call-site.ts";
import type { Feature } from "../checks/check.ts";
import { TestingError } from "../error.ts";
import type { Runner } from "../runner/runner.ts";
import { selectRunner } from "./select-runner.ts";
import { requiredFeatures } from "./required-features.ts";
import type { CaseResult, TestCase, TestContext } from "./test-case.ts";

/**
 * Runs a case in a test: its steps in their order, then destroys everything. A case that the runner, the version of the core or the environment excludes
 * skips the test, with the reason.
 *
 * Without a context, returns whether the case was skipped.
 *
 * @param context The context of the test, of vitest or `node:test`.
 * @throws TestingError `CHECK_FAILED` or `STEP_FAILED` with the step, the configuration, the plan and the difference; its stack is the author's line.
 *   `CASE_INVALID` for a case that contradicts itself. `RUNNER_FAILED` if the command line cannot be used.
 *
 * @example
 * test("a note", (context) => runTestCase(context, { providers: { notebook }, steps: [configStep(`…`)] }));
 */
export function runTestCase(context: TestContext, testCase: TestCase): Promise<void>;
export function runTestCase(testCase: TestCase): Promise<CaseResult>;
export async function runTestCase(first: TestContext | TestCase, second?: TestCase): Promise<CaseResult | void> {
  const site = callSite(runTestCase);
  if (second === undefined) return caseResult(first as TestCase, site, undefined);
  const context = first as TestContext;
  const result = await caseResult(second, site, context.signal);
  if (result.status === "skipped") context.skip(result.reason);
}

async function caseResult(testCase: TestCase, site: CallSite, signal: AbortSignal | undefined): Promise<CaseResult> {
  const skipped = (reason: string): CaseResult => ({ status: "skipped", reason });
  if (testCase.acceptance === true && process.env["TF_ACC"] !== "1") return skipped("acceptance cases run only with TF_ACC=1");
  const runner = await selectRunner(testCase.runner);
  for (const check of testCase.versionChecks ?? []) {
    const verdict = check(runner.core);
    if (verdict.kind === "skip") return skipped(verdict.reason);
    if (verdict.kind === "fail") throw withSite(new TestingError("STEP_FAILED", verdict.reason), site);
  }
  const lacking = lackingFeature(runner, requiredFeatures(testCase));
  if (lacking !== undefined) return skipped(lacking);
  if (testCase.steps.length === 0) throw withSite(new TestingError("CASE_INVALID", "a case needs at least one step"), site);
  await testCase.preCheck?.();
  // Loaded here, because a file of tests is also loaded where none of its cases runs.
  const { runSteps } = await import("./run-steps.ts");
  try {
    await runSteps(runner, testCase, site, signal);
  } catch (error) {
    if (testCase.errorCheck === undefined || !(error instanceof Error)) throw error;
    const remaining = testCase.errorCheck(error);
    if (remaining !== undefined) throw remaining;
  }
  return { status: "passed" };
}

function lackingFeature(runner: Runner, features: ReadonlySet<Feature>): string | undefined {
  return [...features].map((feature) => runner.lacks(feature)).find((reason) => reason !== undefined);
}
