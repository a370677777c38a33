// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import type { PlanDocument, ResourceChangeDocument } from "../documents/plan-document.ts";
import type { PlanCheck } from "./check.ts";
import type { ResourceAddress } from "./resource-address.ts";

/** An action that a plan has for a resource. `Replace` is either order of destroying and creating. */
export type ResourceAction = "NoOp" | "Create" | "Read" | "Update" | "DestroyBeforeCreate" | "CreateBeforeDestroy" | "Destroy" | "Replace";

const actionsOf: Readonly<Record<ResourceAction, readonly string[]>> = {
  NoOp: ["no-op"],
  Create: ["create"],
  Read: ["read"],
  Update: ["update"],
  DestroyBeforeCreate: ["delete,create"],
  CreateBeforeDestroy: ["create,delete"],
  Destroy: ["delete"],
  Replace: ["delete,create", "create,delete"],
};

/** Checks which action a plan has for a resource. */
export function expectResourceAction(address: ResourceAddress, action: ResourceAction): PlanCheck {
  return {
    name: "expectResourceAction",
    site: callSite(expectResourceAction),
    checkPlan: (plan) => {
      const found = changeAt(plan, address);
      if (found === undefined) return missingChange(plan, address);
      const actions = found.change.actions.join(",");
      return actionsOf[action].includes(actions) ? undefined : `${address} must have the action ${action}, but has ${nameOf(actions)}`;
    },
  };
}

/** The change of a resource. */
export function changeAt({ resource_changes: changes = [] }: PlanDocument, address: string): ResourceChangeDocument | undefined {
  return changes.find((change) => change.address === address);
}

/** Returns the text of a check whose resource a plan lacks; it lists the resources of the plan. */
export function missingChange({ resource_changes: changes = [] }: PlanDocument, address: string): string {
  const others = changes.length === 0 ? "it has none" : `it has ${changes.map((change) => change.address).join(", ")}`;
  return `the plan has no resource ${address}: ${others}`;
}

function nameOf(actions: string): string {
  return Object.entries(actionsOf).find(([, texts]) => texts.includes(actions))?.[0] ?? actions;
}
