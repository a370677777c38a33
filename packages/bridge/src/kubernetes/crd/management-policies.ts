// SPDX-License-Identifier: Apache-2.0

/** An operation that the control plane may do with the resource of an object; `*` is all of them. `Plan` only computes and reports changes. */
export type ManagementPolicy = "Observe" | "Create" | "Update" | "Delete" | "LateInitialize" | "Plan" | "*";

/** Every management policy. All but `Plan` are Crossplane's. */
export const managementPolicies: readonly ManagementPolicy[] = ["Observe", "Create", "Update", "Delete", "LateInitialize", "Plan", "*"];

/** Policies under which the configuration may be incomplete, because the resource is neither created nor updated. */
export const policiesWithoutChanges: readonly ManagementPolicy[] = ["Observe", "Delete", "LateInitialize"];
