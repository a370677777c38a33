// SPDX-License-Identifier: Apache-2.0
import type { CallSite } from "../call-site.ts";
import type { JsonObject } from "../documents/json.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import type { StateDocument } from "../documents/state-document.ts";

/** A part of the cores' features that a check or a step needs. The runner skips cases that need a feature it lacks. */
export type Feature = "identity" | "deferral" | "list";

/** What all checks have. */
export interface Check {
  /** The name of the function that made the check. */
  readonly name: string;
  /** The line that declared it. */
  readonly site: CallSite;
  /** The feature that it needs. */
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
  /** @param results All results of the step. */
  readonly checkQuery: (results: readonly QueryResult[]) => CheckOutcome;
}
