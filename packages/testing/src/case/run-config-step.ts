// SPDX-License-Identifier: Apache-2.0
import type { PlanCheck, StateCheck } from "../checks/check.ts";
import { readConfiguration } from "../configuration/configuration-source.ts";
import { isEmptyPlan, plannedActions, type PlanDocument } from "../documents/plan-document.ts";
import type { SessionPlan, SessionPlanOptions } from "../runner/runner.ts";
import type { PlanCheckLike, PlanChecks, StateCheckLike, StepOf } from "./step.ts";
import type { StepRun } from "./step-run.ts";

/** Runs a step that applies a configuration. */
export async function runConfigStep(run: StepRun, { source, options }: StepOf<"config">): Promise<void> {
  const { stateChecks = [], taint = [], planOnly = false, destroy = false, expectNonEmptyPlan = false } = options;
  const { preApply = [], postApplyPreRefresh = [], postApplyPostRefresh = [] } = phasesOf(options.planChecks);
  const { state, session } = run;
  for (const address of taint) if (!(await run.accept(`taint ${address}`, await session.taint(address)))) return;
  state.files = state.addProviders(readConfiguration(source));
  state.variables = options.variables ?? state.variables;
  if (!(await run.accept("init", await session.configure(state.files, state.variables)))) return;

  const { refresh } = state;
  const mode: SessionPlanOptions = { ...(destroy && { mode: "destroy" }), ...(!refresh && { refresh }) };
  if (planOnly) {
    const expected = expectNonEmptyPlan ? "changes" : "none";
    await planAndCheck(run, mode, { what: "plan", phase: "preApply", checks: preApply, expected });
    return;
  }
  {
    await using plan = await session.plan({ ...mode, allowDeferral: state.allowDeferral });
    run.show(plan);
    if (!(await run.accept("plan", plan))) return;
    await checkPlan(run, preApply, plan, "preApply");
    // From here on, objects may exist that need this configuration to be destroyed.
    state.applied = { files: state.files, variables: state.variables };
    if (!(await run.accept("apply", await plan.apply()))) return;
  }
  await checkState(run, stateChecks);
  await options.postApply?.();
  const first = { what: "plan after the apply, without refresh", phase: "postApplyPreRefresh", checks: postApplyPreRefresh } as const;
  const goesOn = await planAndCheck(run, { ...mode, refresh: false }, { ...first, expected: expectNonEmptyPlan ? "any" : "none" });
  if (!goesOn) return;
  const last = {
    what: `plan after the apply, ${refresh ? "with" : "without"} refresh`,
    phase: "postApplyPostRefresh",
    checks: postApplyPostRefresh,
  } as const;
  await planAndCheck(run, mode, { ...last, expected: expectNonEmptyPlan ? "changes" : "none" });
}

/** The requirements for a plan of a step. */
export interface PlanExpectation {
  /** Name of the plan in failures. */
  readonly what: string;
  readonly phase: keyof PlanChecks | "postRefresh";
  readonly checks: readonly PlanCheckLike[];
  /** Whether the plan must be empty, must have changes, or may be either. */
  readonly expected: "none" | "changes" | "any";
}

/** Plans, checks the plan, and closes it. Returns whether the step goes on. */
export async function planAndCheck(run: StepRun, options: SessionPlanOptions, expectation: PlanExpectation): Promise<boolean> {
  const { what, phase, checks, expected } = expectation;
  await using plan = await run.session.plan({ ...options, allowDeferral: run.state.allowDeferral });
  run.show(plan);
  if (!(await run.accept(what, plan))) return false;
  await checkPlan(run, checks, plan, phase);
  const isEmpty = !plan.hasChanges || isEmptyPlan(await plan.document());
  if (expected === "none" && !isEmpty) {
    const changes = plannedActions(await plan.document());
    throw await run.failure(what, `the plan must be empty, but has these changes:\n  ${changes.join("\n  ")}`);
  }
  if (expected === "changes" && isEmpty) throw await run.failure(what, "the plan must have changes (expectNonEmptyPlan), but is empty");
  return true;
}

/** Checks a plan. */
export async function checkPlan(run: StepRun, checks: readonly PlanCheckLike[], plan: SessionPlan, phase: string): Promise<void> {
  if (checks.length === 0) return;
  const document = await plan.document();
  await run.check<PlanCheck, PlanDocument>(checks, document, (check) => check.checkPlan(document), phase);
}

/** Checks the state of the case. */
export async function checkState(run: StepRun, checks: readonly StateCheckLike[]): Promise<void> {
  if (checks.length === 0) return;
  const state = await run.session.state();
  await run.check<StateCheck, typeof state>(checks, state, (check) => check.checkState(state), "state");
}

function phasesOf(checks: readonly PlanCheckLike[] | PlanChecks = []): PlanChecks {
  return Array.isArray(checks) ? { preApply: checks as readonly PlanCheckLike[] } : (checks as PlanChecks);
}
