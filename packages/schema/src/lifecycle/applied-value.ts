// SPDX-License-Identifier: Apache-2.0
import { formatPath, isWhollyKnown, type Value } from "@tenon/cty";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import { formatProblem } from "../change/problem.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { ApplyResourceChangeResponse } from "../messages/managed-resource.ts";
import { unknownAsNull, unknownPaths } from "../model/unknown-parts.ts";
import { addressOf, type OperationOptions } from "./operation.ts";
import type { PlannedChange } from "./planned-change.ts";
import { objectFaults, problemAt, providerFault, writeOnlyFaults } from "./provider-fault.ts";
import type { ResourceType } from "./resource-type.ts";

/** What an apply left, and everything there is to say about it. */
export interface AppliedValue {
  /** Wholly known, and of the resource type's implied type; nothing where what came back cannot be saved. */
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const invalidResult = "Provider returned invalid result object after apply";

/**
 * Holds the answer to an apply against the plan. Errors of the provider's own are usually the cause of everything else, so after
 * them only what would make the result impossible to save is checked.
 *
 * @see OpenTofu node_resource_abstract_instance.go, apply
 */
export function checkAppliedValue(
  type: ResourceType,
  planned: PlannedChange,
  response: ApplyResourceChangeResponse,
  options: OperationOptions,
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
  if (!hasErrors(diagnostics)) diagnostics.push(...misplaced(type, planned, value, address));
  return { value, diagnostics };
}

function inconsistencies(
  type: ResourceType,
  planned: PlannedChange,
  response: ApplyResourceChangeResponse,
  value: Value,
  options: OperationOptions,
): Diagnostic[] {
  const problems = assertObjectCompatible(type.schema.block, planned.after, value);
  const address = addressOf(type, options);
  if (response.legacyTypeSystem) {
    for (const problem of problems)
      options.observer?.onTolerated?.(`gave an unexpected new value after apply: ${formatProblem(problem)}`, address);
    return [];
  }
  return problems.map((problem) =>
    providerFault(
      type,
      "Provider produced inconsistent result after apply",
      `gave an unexpected new value for ${problemAt(address, problem)}`,
    ),
  );
}

/** Null where something must be, or the other way round. */
function misplaced(type: ResourceType, planned: PlannedChange, value: Value, address: string): Diagnostic[] {
  if ((planned.action === "delete") === (value.payload === null)) return [];
  const what =
    planned.action === "delete"
      ? `gave a non-null object for ${address} after deleting it, which is saved so that it can be examined`
      : `gave a null object for ${address} after a plan to ${planned.action} it, which only deleting may do`;
  return [providerFault(type, invalidResult, what)];
}
