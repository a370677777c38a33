// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import type { Report } from "../configuration/report.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { deferDependencies } from "./deferral.ts";
import type { PlanRun } from "./plan-run.ts";
import type { OutputChange, PlannedChanges } from "../change/planned-changes.ts";
import type { PlanInput } from "./plan-input.ts";
import { driftOf, compareObjects } from "./drift.ts";

/** The result of a plan in which everything was planned, with or without errors. */
export function finishedPlan(run: PlanRun, walk: ResourceWalk, outputs: readonly OutputChange[], timestamp: Date): PlannedChanges {
  deferDependencies(run);
  const resources = [...run.changes.values()].sort((a, b) => compareObjects(a.address, b.address));
  return {
    mode: run.settings.mode,
    resources,
    outputs,
    deferred: [...run.deferred.values()].sort((a, b) => compareObjects(a.change.address, b.change.address)),
    drift: driftOf(run),
    relevantAttributes: () => [],
    previousState: run.previous.snapshot(),
    priorState: run.refreshed.snapshot(),
    checks: walk.checks.results(),
    diagnostics: run.report,
    errored: hasErrors(run.report),
    timestamp,
  };
}

/** The result of a plan that an error ended before anything was planned. */
export function failedPlan({ state, mode }: PlanInput, report: Report, timestamp: Date): PlannedChanges {
  const nothing = { resources: [], outputs: [], drift: [], relevantAttributes: () => [], checks: [] };
  return { mode, ...nothing, previousState: state, priorState: state, diagnostics: report, errored: true, timestamp };
}
