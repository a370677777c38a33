// SPDX-License-Identifier: Apache-2.0
import { type CallSite, callSite, withSite } from "../call-site.ts";
import type { Feature } from "../checks/check.ts";
import { sourceAddress, withRequiredProviders } from "../configuration/required-providers.ts";
import { TestingError } from "../error.ts";
import { factoryOf, type Runner } from "../runner/runner.ts";
import { selectRunner } from "./select-runner.ts";
import { requiredFeatures } from "./required-features.ts";
import { runConfigStep } from "./run-config-step.ts";
import { runImportStep } from "./run-import-step.ts";
import { runQueryStep } from "./run-query-step.ts";
import { runRefreshStep } from "./run-refresh-step.ts";
import { type CaseState, StepRun } from "./step-run.ts";
import type { CaseResult, TestCase, TestContext } from "./test-case.ts";
import type { Step } from "./step.ts";

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

async function runSteps(runner: Runner, testCase: TestCase, site: CallSite, signal: AbortSignal | undefined): Promise<void> {
  const { providers = {}, externalProviders = {}, steps } = testCase;
  const factories = Object.fromEntries(Object.entries(providers).map(([name, provider]) => [sourceAddress(name), factoryOf(provider)]));
  await using session = await runner.open({ providers: factories, externalProviders, ...(signal && { signal }) });
  const state: CaseState = {
    session,
    runner: runner.name,
    factories,
    addProviders: (files) => withRequiredProviders(files, Object.keys(providers), externalProviders),
    allowDeferral: testCase.allowDeferral ?? false,
    stepCount: steps.length,
    files: new Map(),
    variables: {},
    applied: undefined,
  };
  try {
    for (const [index, step] of steps.entries()) await runStep(state, step, index + 1);
  } catch (error) {
    const remaining = await destroyAll(state).catch((reason: unknown) => (reason instanceof Error ? reason.message : String(reason)));
    if (remaining !== undefined && error instanceof Error) {
      const { stack = "" } = error;
      const [, frames = ""] = stack.split(/\n(?=\s+at )/);
      error.message += `\nThe objects of the case could not be destroyed, and may still exist:\n${remaining}\n`;
      error.stack = `${error.name}: ${error.message}\n${frames}`;
    }
    throw error;
  }
  const { checkDestroy } = testCase;
  const before = checkDestroy && (await session.state());
  const remaining = await destroyAll(state);
  if (remaining !== undefined) {
    const text = `the end of the case (${runner.name}) failed: the objects could not be destroyed, and may still exist:\n${remaining}`;
    throw withSite(new TestingError("STEP_FAILED", text), site);
  }
  if (checkDestroy && before) await checkDestroy(before);
}

async function runStep(state: CaseState, step: Step, number: number): Promise<void> {
  if ((await step.options.skip?.()) === true) return;
  await step.options.preConfig?.();
  const run = new StepRun(state, step, number);
  if (step.kind === "config") await runConfigStep(run, step);
  else if (step.kind === "refresh") await runRefreshStep(run, step);
  else if (step.kind === "import") await runImportStep(run, step);
  else await runQueryStep(run, step);
  await run.end();
}

/** Destroys all objects, with the last configuration that was applied. Returns the errors as text; undefined if there are none. */
async function destroyAll({ session, applied }: CaseState): Promise<string | undefined> {
  if (applied === undefined) return undefined;
  const configured = await session.configure(applied.files, applied.variables);
  if (configured.errors.length > 0) return configured.errors.join("\n");
  await using plan = await session.plan({ mode: "destroy" });
  if (plan.errors.length > 0) return plan.errors.join("\n");
  if (!plan.hasChanges) return undefined;
  const { errors } = await plan.apply();
  return errors.length === 0 ? undefined : errors.join("\n");
}
