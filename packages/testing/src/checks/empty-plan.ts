// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import { isEmptyPlan, plannedActions } from "../documents/plan-document.ts";
import type { PlanCheck } from "./check.ts";

/** Checks that a plan changes no resource and no output. */
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

/** Checks that a plan has a change. */
export function expectNonEmptyPlan(): PlanCheck {
  return {
    name: "expectNonEmptyPlan",
    site: callSite(expectNonEmptyPlan),
    checkPlan: (plan) => (isEmptyPlan(plan) ? "the plan must have changes, but is empty" : undefined),
  };
}
