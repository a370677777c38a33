// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { formatRuleViolation } from "../change/rule-violation.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { addressOf, type ConfigOptions } from "./operation.ts";
import { planChange, type PlanOutcome } from "./plan-change.ts";
import type { PlannedChange } from "./planned-change.ts";
import { inconsistentPlanFault } from "./provider-fault.ts";
import type { ResourceType } from "./resource-type.ts";
import { incompatibleParts, type MarkSensitive } from "./sensitive-violations.ts";

/** Options of {@link replanChange}. */
export interface ReplanChangeOptions extends ConfigOptions {
  /** The wholly known configuration. */
  readonly config: Value;
  /** As for the first plan. */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
  /** Marks the sensitive parts of a value, so that no error shows them. Default: only the schema says what is sensitive. */
  readonly markSensitive?: MarkSensitive;
}

/** Actions in errors, as OpenTofu writes them. */
const actionNames = { create: "Create", update: "Update", delete: "Delete", replace: "DeleteThenCreate", noOp: "NoOp" } as const;

/**
 * Plans a create, an update or a no-op a second time, when all values are known, and compares the plan with the first one: an update may turn out
 * to be a no-op and unknown values may be known; any other difference is a fault of the provider.
 *
 * @throws ProviderError where a call fails.
 * @see OpenTofu node_resource_apply_instance.go, checkPlannedChange
 */
export async function replanChange(type: ResourceType, planned: PlannedChange, options: ReplanChangeOptions): Promise<PlanOutcome> {
  const again = await planChange(type, { ...options, prior: planned.action === "create" ? undefined : planned.prior });
  if (again.planned === undefined || hasErrors(again.diagnostics)) return { diagnostics: again.diagnostics };
  const diagnostics: Diagnostic[] = [...again.diagnostics];
  const address = addressOf(type, options);
  const { action } = again.planned;
  if (action !== planned.action && !(planned.action === "update" && action === "noOp")) {
    const what = `changed the planned action from ${actionNames[planned.action]} to ${actionNames[action]}`;
    diagnostics.push(inconsistentPlanFault(type, address, what));
  }
  for (const violation of incompatibleParts(type.schema.block, [planned.after, "plan"], again.planned.after, options.markSensitive)) {
    diagnostics.push(inconsistentPlanFault(type, address, `produced an invalid new value for ${formatRuleViolation(violation)}`));
  }
  return hasErrors(diagnostics) ? { diagnostics } : { planned: again.planned, diagnostics };
}
