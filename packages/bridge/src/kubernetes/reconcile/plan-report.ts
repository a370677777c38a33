// SPDX-License-Identifier: Apache-2.0
import type { PlannedChange } from "@tenon/schema/lifecycle";
import type { KindMapping } from "../mapping/mapping.ts";
import { isSamePlan, planStatus } from "./change-report.ts";
import { changesPlanned, type ConditionUpdate } from "./conditions.ts";
import type { ManagedResource, PlanStatus } from "./managed-resource.ts";
import type { ResourceEvents } from "./resource-events.ts";

/** Why the changes of an object with the policy `Plan` are not made. */
export const planOnlyMessage = "the management policy Plan allows no change";

/** Status of an object with the plan of its next change. */
export interface ShownPlan {
  /** Null if nothing is to be changed. */
  readonly plan: PlanStatus | null;
  readonly conditions: readonly ConditionUpdate[];
}

/** Shows the plans of the objects of a kind in their status and in events. */
export class PlanReport {
  readonly #kind: KindMapping;
  readonly #events: ResourceEvents;

  constructor(kind: KindMapping, events: ResourceEvents) {
    this.#kind = kind;
    this.#events = events;
  }

  /** Returns the status with a plan, and records the plan as an event where it is new. @param message - Why the change is not made. */
  show(owner: ManagedResource, planned: PlannedChange, reason: Parameters<typeof changesPlanned>[0], message?: string): ShownPlan {
    const plan = planStatus(this.#kind, planned, message);
    const { status } = owner;
    if (plan && !isSamePlan(status?.plan, plan)) this.#events.planned(owner, plan);
    return { plan, conditions: [changesPlanned(reason, message ?? "a change is being made")] };
  }
}

/** Returns why a replacement is refused: by the replacement policy, or by the management policies. */
export function refusal({ requiresReplace }: PlannedChange, byPolicy: boolean, isTainted: boolean): string {
  const paths = requiresReplace.map((path) => path.map((step) => ("name" in step ? step.name : "…")).join("."));
  const what = isTainted
    ? "the resource was not created completely and must be replaced"
    : `a change of ${paths.join(", ") || "the resource"} needs a replacement`;
  return byPolicy
    ? `${what}: revert it, or set the annotation tenon.dev/replacement-policy to DeleteFirst or CreateFirst`
    : `${what}, and the management policies do not allow to delete and create`;
}
