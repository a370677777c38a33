// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ObjectMetadata } from "../machinery/client/kubernetes-object.ts";
import { withConditions, type Condition, type ConditionUpdate } from "./conditions.ts";

/** The parts that every status has. */
export interface ConditionedStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
}

/** Parts of a status that a step of a reconcile sets; null removes one. */
export type StatusUpdate<Status extends ConditionedStatus> = {
  readonly [Part in Exclude<keyof Status, keyof ConditionedStatus>]?: NonNullable<Status[Part]> | null;
} & { readonly conditions?: readonly ConditionUpdate[] };

/** Returns a merge patch for the status of an object; undefined if nothing changes. */
export function statusPatch(
  { status, metadata }: { readonly status?: ConditionedStatus; readonly metadata: ObjectMetadata },
  { conditions, ...parts }: StatusUpdate<ConditionedStatus>,
): Readonly<Record<string, unknown>> | undefined {
  const patch: Record<string, unknown> = {};
  if (conditions !== undefined) {
    const current = status?.conditions ?? [];
    const updated = withConditions(current, conditions, metadata.generation, new Date().toISOString());
    if (updated !== current) patch["conditions"] = updated;
    if (status?.observedGeneration !== metadata.generation) patch["observedGeneration"] = metadata.generation;
  }
  const before = (status ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, wanted] of Object.entries<unknown>(parts)) {
    if (wanted !== undefined && !isSamePart(before[name], wanted)) patch[name] = mergePatch(before[name], wanted);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Whether a part of a status has a value already. An absent part counts as null and as an object without members. */
function isSamePart(before: unknown, wanted: unknown): boolean {
  if (before !== undefined) return isDeepStrictEqual(before, wanted);
  return wanted === null || (isObject(wanted) && Object.keys(wanted).length === 0);
}

/** Returns a merge patch that makes a value equal to another one: members that are gone are null. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (!isDeepStrictEqual(before[name], value)) patch[name] = mergePatch(before[name], value);
  }
  return patch;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
