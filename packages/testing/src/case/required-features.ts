// SPDX-License-Identifier: Apache-2.0
import type { Check, Feature } from "../checks/check.ts";
import type { PlanCheckLike, PlanChecks, Step } from "./step.ts";
import type { TestCase } from "./test-case.ts";

/** Returns the features that the runner of a case must have, for its steps and their checks. */
export function requiredFeatures({ steps, allowDeferral = false }: TestCase): ReadonlySet<Feature> {
  const features = steps.flatMap((step) => [...ofKind(step), ...checksOf(step).flatMap(({ requires }) => requires ?? [])]);
  return new Set<Feature>([...(allowDeferral ? (["deferral"] as const) : []), ...features]);
}

function ofKind(step: Step): readonly Feature[] {
  if (step.kind === "query") return ["list"];
  if (step.kind === "stateStore") return ["stateStore"];
  return step.kind === "import" && step.options.kind === "identityBlock" ? ["identity"] : [];
}

function checksOf(step: Step): readonly Check[] {
  const { planChecks, stateChecks, queryChecks } = step.options as {
    readonly planChecks?: readonly PlanCheckLike[] | PlanChecks;
    readonly stateChecks?: readonly (Check | ((state: never) => unknown))[];
    readonly queryChecks?: readonly (Check | ((results: never) => unknown))[];
  };
  const ofPlans = Array.isArray(planChecks)
    ? (planChecks as readonly PlanCheckLike[])
    : Object.values((planChecks ?? {}) as PlanChecks).flat();
  return [...ofPlans, ...(stateChecks ?? []), ...(queryChecks ?? [])].filter((check): check is Check => typeof check !== "function");
}
