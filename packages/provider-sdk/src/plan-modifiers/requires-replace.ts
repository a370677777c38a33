// SPDX-License-Identifier: Apache-2.0
import type { PlanModifier, PlannedChange } from "../definition/attribute-options.ts";

/** A change of this attribute destroys the resource and creates another. */
export function requiresReplace<T>(): PlanModifier<T> {
  return replacing("A change of this destroys the resource and creates another.", () => true);
}

/** The same where the condition holds. `description` says it in words. */
export function requiresReplaceIf<T>(condition: (change: PlannedChange<T>) => boolean, description: string): PlanModifier<T> {
  return replacing(description, condition);
}

/** The same where the configuration sets it; a value that the provider chose may change in place. */
export function requiresReplaceIfConfigured<T>(): PlanModifier<T> {
  return replacing<T>("A change of this in the configuration destroys the resource and creates another.", ({ config }) => config !== null);
}

function replacing<T>(description: string, condition: (change: PlannedChange<T>) => boolean): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    (change) => {
      if (change.operation === "update" && condition(change)) change.requireReplace();
      return change.planned;
    },
    { description },
  );
}
