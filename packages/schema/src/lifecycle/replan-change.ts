// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { addressOf, type ConfigOptions } from "./operation.ts";
import { planChange, type PlanOutcome } from "./plan-change.ts";
import type { PlannedChange } from "./planned-change.ts";
import { violationAt, providerFault } from "./provider-fault.ts";
import type { ResourceType } from "./resource-type.ts";

/** Options of {@link replanChange}. */
export interface ReplanChangeOptions extends ConfigOptions {
  /** The wholly known configuration. */
  readonly config: Value;
  /** As for the first plan. */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
}

const inconsistent = "Provider produced inconsistent final plan";

/**
 * Plans a create or an update a second time, when all values are known, and compares the plan with the first one: an update may turn out
 * to be a no-op and unknown values may be known; any other difference is a fault of the provider.
 *
 * @throws ProviderError where a call fails.
 * @see OpenTofu node_resource_apply_instance.go, checkPlannedChange
 */
export async function replanChange(type: ResourceType, planned: PlannedChange, options: ReplanChangeOptions): Promise<PlanOutcome> {
  const again = await planChange(type, { ...options, prior: planned.action === "update" ? planned.prior : undefined });
  if (again.planned === undefined || hasErrors(again.diagnostics)) return { diagnostics: again.diagnostics };
  const diagnostics: Diagnostic[] = [...again.diagnostics];
  const address = addressOf(type, options);
  const { action } = again.planned;
  if (action !== planned.action && !(planned.action === "update" && action === "noOp")) {
    const what = `changed the planned action for ${address} from ${planned.action} to ${action} once all values were known`;
    diagnostics.push(providerFault(type, inconsistent, what));
  }
  for (const violation of assertObjectCompatible(type.schema.block, planned.after, again.planned.after)) {
    const what = `produced an invalid new value for ${violationAt(address, violation)}, once all values were known`;
    diagnostics.push(providerFault(type, inconsistent, what));
  }
  return hasErrors(diagnostics) ? { diagnostics } : { planned: again.planned, diagnostics };
}
