// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { Value } from "@tenon/cty";
import type { PlannedChange } from "@tenon/schema/lifecycle";
import type { KindMapping } from "../mapping/mapping.ts";
import { fieldChanges, type FieldChange } from "../values/field-changes.ts";
import type { DriftStatus, PlanStatus, ReportedChanges } from "./managed-resource.ts";

/** Whether two plans are the same, apart from their times. */
export function isSamePlan(a: PlanStatus | null | undefined, b: PlanStatus | null | undefined): boolean {
  if (!a || !b) return !a && !b;
  return isDeepStrictEqual({ ...a, plannedAt: "" }, { ...b, plannedAt: "" });
}

const actions = { create: "Create", update: "Update", replace: "Replace", delete: "Delete" } as const;

/**
 * Reports a plan.
 *
 * @param message - Why the change is not made.
 */
export function planStatus(kind: KindMapping, planned: PlannedChange, message?: string): PlanStatus | null {
  if (planned.action === "noOp") return null;
  return {
    action: actions[planned.action],
    ...reportedChanges(kind, planned.before, planned.after, planned),
    plannedAt: new Date().toISOString(),
    ...(message === undefined ? {} : { message }),
  };
}

/** Reports how a resource differs from its last known state. @param after - Absent where the resource does not exist any more. */
export function driftStatus(kind: KindMapping, before: Value, after: Value | undefined): DriftStatus {
  const observedAt = new Date().toISOString();
  if (after === undefined) return { changes: [], observedAt, message: "the resource does not exist any more" };
  return { ...reportedChanges(kind, before, after), observedAt };
}

function reportedChanges(
  kind: KindMapping,
  before: Value,
  after: Value,
  { requiresReplace }: Pick<PlannedChange, "requiresReplace"> = { requiresReplace: [] },
): ReportedChanges {
  const { changes, omitted } = fieldChanges(kind, before, after, requiresReplace);
  return { changes, ...(omitted > 0 ? { omittedChanges: omitted } : {}) };
}

/** Writes changes as one line for events: `title: "a" -> "b"; password: (sensitive)`. */
export function changesText({ changes, omittedChanges = 0 }: ReportedChanges): string {
  const parts = changes.map((change) => `${change.path}: ${valuesText(change)}`);
  return [...parts, ...(omittedChanges > 0 ? [`and ${omittedChanges} more`] : [])].join("; ");
}

function valuesText({ from, to, sensitive, unknown, requiresReplacement }: FieldChange): string {
  const note = requiresReplacement ? " (requires a replacement)" : "";
  if (sensitive) return `(sensitive)${note}`;
  const after = unknown ? "(known after the change)" : to;
  if (from === undefined) return `${after ?? "null"}${note}`;
  return `${from} -> ${after ?? "null"}${note}`;
}
