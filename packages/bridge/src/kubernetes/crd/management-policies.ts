// SPDX-License-Identifier: Apache-2.0

/** What the control plane may do with the resource of an object. `Plan` computes and reports changes, and makes none. */
export type ManagementPolicy = "Observe" | "Create" | "Update" | "Delete" | "LateInitialize" | "Plan" | "*";

/** Every management policy. All but `Plan` are Crossplane's. */
export const managementPolicies: readonly ManagementPolicy[] = ["Observe", "Create", "Update", "Delete", "LateInitialize", "Plan", "*"];

/** Policies that need no complete configuration. */
export const policiesWithoutChanges: readonly ManagementPolicy[] = ["Observe", "Delete", "LateInitialize"];
