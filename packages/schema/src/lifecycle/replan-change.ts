// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { addressOf, type OperationOptions } from "./operation.ts";
import { planChange, type PlanOutcome } from "./plan-change.ts";
import type { PlannedChange } from "./planned-change.ts";
import { problemAt, providerFault } from "./provider-fault.ts";
import type { ResourceType } from "./resource-type.ts";

/** What is planned again. */
export interface ReplanChangeOptions extends OperationOptions {
  /** The configuration, of which everything is known by now. */
  readonly config: Value;
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
}

const inconsistent = "Provider produced inconsistent final plan";

/**
 * Makes a plan for a create or an update again, now that everything is known, and holds it against the first one: an update may
 * prove unnecessary, values that were unknown may be known, and nothing else may differ.
 *
 * @throws ProviderError where the provider cannot be asked.
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
  for (const problem of assertObjectCompatible(type.schema.block, planned.after, again.planned.after)) {
    const what = `produced an invalid new value for ${problemAt(address, problem)}, once all values were known`;
    diagnostics.push(providerFault(type, inconsistent, what));
  }
  return hasErrors(diagnostics) ? { diagnostics } : { planned: again.planned, diagnostics };
}
