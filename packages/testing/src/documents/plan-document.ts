// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from "./json.ts";

/** A plan, as `tofu show -json` prints it. */
export interface PlanDocument {
  readonly resource_changes?: readonly ResourceChangeDocument[];
  readonly resource_drift?: readonly ResourceChangeDocument[];
  readonly output_changes?: Readonly<Record<string, ChangeDocument>>;
  /** Changes that are deferred to a later plan. */
  readonly deferred_changes?: readonly DeferredChangeDocument[];
}

/** The planned change of a resource. */
export interface ResourceChangeDocument {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly action_reason?: string;
  readonly change: ChangeDocument;
}

/** A change that is deferred to a later plan. */
export interface DeferredChangeDocument {
  readonly reason: string;
  readonly resource_change: ResourceChangeDocument;
}

/** The actions of a change, and the values before and after it. */
export interface ChangeDocument {
  readonly actions: readonly string[];
  readonly before?: Json;
  readonly after?: Json;
  /** Has `true` in the place of each unknown value. */
  readonly after_unknown?: Json;
  readonly before_sensitive?: Json;
  /** Has `true` in the place of each sensitive value. */
  readonly after_sensitive?: Json;
  readonly before_identity?: JsonObject;
  readonly after_identity?: JsonObject;
  readonly importing?: { readonly id?: string; readonly identity?: JsonObject };
}

/** Whether the plan changes no managed resource and no output. Drift is not a change. */
export function isEmptyPlan({ resource_changes: resources = [], output_changes: outputs = {} }: PlanDocument): boolean {
  return plannedActions({ resource_changes: resources.filter(({ mode }) => mode !== "data"), output_changes: outputs }).length === 0;
}

/** The changes of a plan, one text for each: `notebook_note.a: update`. */
export function plannedActions({ resource_changes: resources = [], output_changes: outputs = {} }: PlanDocument): readonly string[] {
  const isChange = ({ actions }: ChangeDocument): boolean => !(actions.length === 1 && actions[0] === "no-op");
  return [
    ...resources.flatMap(({ address, change }) => (isChange(change) ? [`${address}: ${change.actions.join(", ")}`] : [])),
    ...Object.entries(outputs).flatMap(([name, change]) => (isChange(change) ? [`output.${name}: ${change.actions.join(", ")}`] : [])),
  ];
}
