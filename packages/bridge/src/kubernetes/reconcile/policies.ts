// SPDX-License-Identifier: Apache-2.0
import type { ManagementPolicy } from "../crd/management-policies.ts";
import type { ManagedResourceSpec } from "./managed-resource.ts";

/** The operations that are allowed on the resource of an object. */
export interface Permissions {
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  readonly lateInitialize: boolean;
  /** Whether changes are planned and reported, and never made. */
  readonly planOnly: boolean;
}

/** `paused`: no operation is allowed. `invalid`: the policies contradict each other. */
export type PolicyDecision = Permissions | "paused" | "invalid";

/**
 * Returns the operations that the management policies of an object allow. Fifteen sets are valid, as for Crossplane: `*`, none, `Observe` alone, and
 * `Observe` with `Create`, `Update` or both, each with or without `Delete` and `LateInitialize`. `Plan` goes only with `Observe`: changes are
 * computed and reported, and never made.
 *
 * @see crossplane-runtime pkg/reconciler/managed, defaultSupportedManagementPolicies
 */
export function permissionsOf({ managementPolicies = ["*"], deletionPolicy }: ManagedResourceSpec): PolicyDecision {
  const given = new Set<ManagementPolicy>(managementPolicies);
  if (given.size === 0) return "paused";
  if (!isValid(given)) return "invalid";
  const allows = (policy: ManagementPolicy): boolean => given.has("*") || given.has(policy);
  return {
    create: allows("Create"),
    update: allows("Update"),
    delete: allows("Delete") && deletionPolicy !== "Orphan",
    lateInitialize: allows("LateInitialize"),
    planOnly: given.has("Plan"),
  };
}

function isValid(given: ReadonlySet<ManagementPolicy>): boolean {
  if (given.has("*")) return given.size === 1;
  if (!given.has("Observe")) return false;
  if (given.has("Plan")) return given.size === 2;
  return given.size === 1 || given.has("Create") || given.has("Update");
}
