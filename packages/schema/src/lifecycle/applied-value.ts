// SPDX-License-Identifier: Apache-2.0
import { formatPath, isWhollyKnown, type Value } from "@tenon/cty";
import { formatRuleViolation } from "../change/rule-violation.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { ApplyResourceChangeResponse } from "../messages/managed-resource.ts";
import { unknownAsNull, unknownPaths } from "../model/unknown-parts.ts";
import { addressOf, type OperationOptions } from "./operation.ts";
import type { PlannedChange } from "./planned-change.ts";
import { inconsistentResultFault, objectFaults, providerFault, writeOnlyFaults } from "./provider-fault.ts";
import type { ResourceType } from "./resource-type.ts";
import { incompatibleParts, type MarkSensitive } from "./sensitive-violations.ts";

/** Checked value of an apply, with all diagnostics. */
export interface AppliedValue {
  /** Wholly known value of the resource type's implied type; undefined where the result cannot be saved. */
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const invalidResult = "Provider returned invalid result object after apply";

/**
 * Checks the response to an apply against the plan. After an error of the provider, only the checks remain that decide whether the result
 * can be saved: other violations are usually caused by that error.
 *
 * @see OpenTofu node_resource_abstract_instance.go, apply
 */
export function checkAppliedValue(
  type: ResourceType,
  planned: PlannedChange,
  response: ApplyResourceChangeResponse,
  options: OperationOptions & { readonly markSensitive?: MarkSensitive },
): AppliedValue {
  const address = addressOf(type, options);
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  const faults = objectFaults(type, "Provider produced invalid object", response.newState, "produced after apply", address);
  if (faults.length > 0) return { value: undefined, diagnostics: [...diagnostics, ...faults] };
  diagnostics.push(...writeOnlyFaults(type, response.newState));

  let value = response.newState;
  if (!isWhollyKnown(value)) {
    diagnostics.push(
      ...unknownPaths(value).map((path) =>
        providerFault(
          type,
          invalidResult,
          `still gave an unknown value for ${address}${formatPath(path)} after apply, when all values must be known`,
        ),
      ),
    );
    value = unknownAsNull(value);
  }
  if (planned.action !== "delete" && !hasErrors(diagnostics)) diagnostics.push(...inconsistencies(type, planned, response, value, options));
  if (!hasErrors(diagnostics)) diagnostics.push(...existenceFaults(type, planned, value, address));
  return { value, diagnostics };
}

function inconsistencies(
  type: ResourceType,
  planned: PlannedChange,
  response: ApplyResourceChangeResponse,
  value: Value,
  options: OperationOptions & { readonly markSensitive?: MarkSensitive },
): Diagnostic[] {
  const violations = incompatibleParts(type.schema.block, [planned.after, "final"], value, options.markSensitive);
  const address = addressOf(type, options);
  if (response.legacyTypeSystem) {
    for (const violation of violations)
      options.observer?.onTolerated?.(`gave an unexpected new value after apply: ${formatRuleViolation(violation)}`, address);
    return [];
  }
  return violations.map((violation) =>
    inconsistentResultFault(type, address, `produced an unexpected new value: ${formatRuleViolation(violation)}`),
  );
}

/** Returns a fault for null after a create or an update, and for a value after a delete. */
function existenceFaults(type: ResourceType, planned: PlannedChange, value: Value, address: string): Diagnostic[] {
  if ((planned.action === "delete") === (value.payload === null)) return [];
  const what =
    planned.action === "delete"
      ? `gave a non-null object for ${address} after deleting it, which is saved so that it can be examined`
      : `gave a null object for ${address} after a plan to ${planned.action} it, which only deleting may do`;
  return [providerFault(type, invalidResult, what)];
}
