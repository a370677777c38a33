// SPDX-License-Identifier: Apache-2.0
import type { CallSite } from "../call-site.ts";
import type { JsonObject } from "../documents/json.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import type { StateDocument } from "../documents/state-document.ts";

/** A feature that not all cores and runners have. A case whose steps or checks need one is skipped by a runner without it. */
export type Feature = "identity" | "deferral" | "list" | "stateStore";

/** The common part of all checks. */
export interface Check {
  /** The name of the function that made the check. */
  readonly name: string;
  /** The line that declared the check. */
  readonly site: CallSite;
  /** The feature that the check needs. */
  readonly requires?: Feature;
}

/** The outcome of a check: why it fails; undefined if it passes. */
export type CheckOutcome = string | undefined;

/** A check of a plan. */
export interface PlanCheck extends Check {
  /** @param plan The plan. */
  readonly checkPlan: (plan: PlanDocument) => CheckOutcome;
}

/** A check of a state. */
export interface StateCheck extends Check {
  /** @param state The state. */
  readonly checkState: (state: StateDocument) => CheckOutcome;
}

/** A resource that a query found. */
export interface QueryResult {
  /** The address of the `list` block: `list.dns_record.all`. */
  readonly address: string;
  readonly displayName: string;
  readonly identity: JsonObject;
  /** The resource, if the step includes resources. */
  readonly resource?: JsonObject;
}

/** A check of the results of a query. */
export interface QueryCheck extends Check {
  /**
   * @param results All results of the step.
   * @param lists The addresses of all `list` blocks of the step. Default: those of the results.
   */
  readonly checkQuery: (results: readonly QueryResult[], lists?: readonly string[]) => CheckOutcome;
}
