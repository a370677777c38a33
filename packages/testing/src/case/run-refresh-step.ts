// SPDX-License-Identifier: Apache-2.0
import { checkState, planAndCheck } from "./run-config-step.ts";
import type { StepOf } from "./step.ts";
import type { StepRun } from "./step-run.ts";

/** Runs a step that reads all objects. */
export async function runRefreshStep(run: StepRun, { options }: StepOf<"refresh">): Promise<void> {
  const { planChecks = [], stateChecks = [], expectNonEmptyPlan = false } = options;
  if (!(await run.accept("refresh", await run.session.refresh()))) return;
  await checkState(run, stateChecks);
  const expected = expectNonEmptyPlan ? "changes" : "none";
  await planAndCheck(run, {}, { what: "plan after the refresh", phase: "postRefresh", checks: planChecks, expected });
}
