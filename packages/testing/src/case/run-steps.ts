// SPDX-License-Identifier: Apache-2.0
import { type CallSite, withSite } from "../call-site.ts";
import { sourceAddress, withRequiredProviders } from "../configuration/required-providers.ts";
import { TestingError } from "../error.ts";
import { CaseProvider } from "../runner/case-provider.ts";
import { factoryOf, type Runner } from "../runner/runner.ts";
import { runConfigStep } from "./run-config-step.ts";
import { runImportStep } from "./run-import-step.ts";
import { runQueryStep } from "./run-query-step.ts";
import { runRefreshStep } from "./run-refresh-step.ts";
import { type CaseState, StepRun } from "./step-run.ts";
import type { Step } from "./step.ts";
import type { TestCase } from "./test-case.ts";

/**
 * Runs the steps of a case, and destroys everything.
 *
 * @throws TestingError `CHECK_FAILED` or `STEP_FAILED`.
 */
export async function runSteps(runner: Runner, testCase: TestCase, site: CallSite, signal: AbortSignal | undefined): Promise<void> {
  const { providers = {}, externalProviders = {}, steps } = testCase;
  const caseProviders = Object.entries(providers).map(
    ([name, provider]) => [sourceAddress(name), new CaseProvider(factoryOf(provider))] as const,
  );
  const factories = Object.fromEntries(caseProviders.map(([source, { open }]) => [source, open]));
  const describedProviders = Object.fromEntries(caseProviders.map(([source, { describe }]) => [source, describe]));
  await using session = await runner.open({ providers: factories, describedProviders, externalProviders, ...(signal && { signal }) });
  const state: CaseState = {
    session,
    runner: runner.name,
    factories,
    describedProviders,
    addProviders: (files) => withRequiredProviders(files, Object.keys(providers), externalProviders),
    allowDeferral: testCase.allowDeferral ?? false,
    signal,
    stepCount: steps.length,
    files: new Map(),
    variables: {},
    refresh: testCase.refresh ?? true,
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
  else if (step.kind === "query") await runQueryStep(run, step);
  else await (await import("./run-state-store-step.ts")).runStateStoreStep(run, step);
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
