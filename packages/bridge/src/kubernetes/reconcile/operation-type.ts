// SPDX-License-Identifier: Apache-2.0

/** Kind of a change of a resource. */
export type OperationType = "Create" | "Update" | "Replace" | "Delete";
