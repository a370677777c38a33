// SPDX-License-Identifier: Apache-2.0
import type { OperationType } from "./operation-type.ts";

/** A condition: one aspect of the state of an object. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** The part of a condition that a reconcile sets. */
export type ConditionUpdate = Omit<Condition, "lastTransitionTime" | "observedGeneration">;

/** The resource exists and can be used. */
export const available: ConditionUpdate = { type: "Ready", status: "True", reason: "Available" };
/** The resource cannot be used. */
export const unavailable: ConditionUpdate = { type: "Ready", status: "False", reason: "Unavailable" };
/** The resource is being created. */
export const creating: ConditionUpdate = { type: "Ready", status: "False", reason: "Creating" };
/** The resource is being deleted. */
export const deleting: ConditionUpdate = { type: "Ready", status: "False", reason: "Deleting" };
/** The last reconcile succeeded. */
export const reconcileSuccess: ConditionUpdate = { type: "Synced", status: "True", reason: "ReconcileSuccess" };
/** Reconciles are paused by a policy or an annotation. */
export const reconcilePaused: ConditionUpdate = { type: "Synced", status: "False", reason: "ReconcilePaused" };

/** The resource matches its object. */
export const upToDate: ConditionUpdate = { type: "UpToDate", status: "True", reason: "NoChanges" };
/** The policies allow only observation, so no change was planned. */
export const notPlanned: ConditionUpdate = { type: "UpToDate", status: "Unknown", reason: "NotPlanned" };

/** A change is planned. @param reason - `ChangesPending` if it is about to be made; otherwise the reason why it is not made. */
export function changesPlanned(
  reason: "ChangesPending" | "PlanOnly" | "ChangesNotAllowed" | "ReplacementRefused",
  message: string,
): ConditionUpdate {
  return { type: "UpToDate", status: "False", reason, message };
}

/** An asynchronous operation is in progress. */
export const operationOngoing: ConditionUpdate = { type: "AsyncOperation", status: "False", reason: "Ongoing" };
/** No asynchronous operation is in progress. */
export const operationFinished: ConditionUpdate = { type: "AsyncOperation", status: "True", reason: "Finished" };
/** The last asynchronous operation succeeded. */
export const operationSuccess: ConditionUpdate = { type: "LastAsyncOperation", status: "True", reason: "Success" };

/** The last asynchronous operation failed. @see upjet pkg/resource/conditions.go, for the reasons of create, update and delete */
export function operationFailure(type: OperationType, message: string): ConditionUpdate {
  return { type: "LastAsyncOperation", status: "False", reason: `Async${type}Failure`, message };
}

/** The last reconcile failed. */
export function reconcileError(message: string): ConditionUpdate {
  return { type: "Synced", status: "False", reason: "ReconcileError", message };
}

/**
 * Applies updates to conditions. The time of a condition changes only with its status or reason. Returns the same array if nothing changes.
 */
export function withConditions(
  current: readonly Condition[],
  updates: readonly ConditionUpdate[],
  observedGeneration: number | undefined,
  now: string,
): readonly Condition[] {
  let changed = false;
  const result = new Map(current.map((condition) => [condition.type, condition]));
  for (const update of updates) {
    const before = result.get(update.type);
    const isSame = before?.status === update.status && before.reason === update.reason;
    if (isSame && before.message === update.message && before.observedGeneration === observedGeneration) continue;
    changed = true;
    const lastTransitionTime = isSame ? before.lastTransitionTime : now;
    result.set(update.type, { ...update, lastTransitionTime, ...(observedGeneration === undefined ? {} : { observedGeneration }) });
  }
  return changed ? [...result.values()] : current;
}
