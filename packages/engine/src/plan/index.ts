// SPDX-License-Identifier: Apache-2.0
/**
 * Plans as data: the changes of resource instances and outputs with the reason for each action, and the drift.
 *
 * @module
 */
export { isReplacement } from "../change/planned-changes.ts";
export type {
  ActionReason,
  ChangeAction,
  DeferralReason,
  DeferredChange,
  Drift,
  Importing,
  OutputChange,
  PlanMode,
  PlannedChanges,
  RelevantAttribute,
  ResourceChange,
} from "../change/planned-changes.ts";
export { compareObjects } from "./drift.ts";
