// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import { plannedActions } from "../documents/plan-document.ts";
import type { PlanCheck } from "./check.ts";

/** Checks that a plan changes no resource and no output, and reads no data source. */
export function expectEmptyPlan(): PlanCheck {
  return {
    name: "expectEmptyPlan",
    site: callSite(expectEmptyPlan),
    checkPlan: (plan) => {
      const actions = plannedActions(plan);
      return actions.length === 0 ? undefined : `the plan must be empty, but has these changes:\n  ${actions.join("\n  ")}`;
    },
  };
}

/** Checks that a plan changes a resource or an output, or reads a data source. */
export function expectNonEmptyPlan(): PlanCheck {
  return {
    name: "expectNonEmptyPlan",
    site: callSite(expectNonEmptyPlan),
    checkPlan: (plan) => (plannedActions(plan).length === 0 ? "the plan must have changes, but is empty" : undefined),
  };
}
