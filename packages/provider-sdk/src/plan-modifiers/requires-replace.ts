// SPDX-License-Identifier: Apache-2.0
import type { PlanModifier, AttributeChange } from "../definition/attribute-options.ts";

/** Replaces the resource if the attribute changes. */
export function requiresReplace<T>(): PlanModifier<T> {
  return replacing("A change of this attribute replaces the resource.", () => true);
}

/**
 * Replaces the resource if the attribute changes and the condition is true. `description` describes the condition for documentation.
 *
 * The planned value may be unknown. Return true for it if one of its possible values requires a replacement: a core refuses a replacement that the
 * first plan did not have.
 */
export function requiresReplaceIf<T>(condition: (change: AttributeChange<T>) => boolean, description: string): PlanModifier<T> {
  return replacing(description, condition);
}

/** Replaces the resource if the attribute changes and the configuration sets it. A value that the provider sets may change in place. */
export function requiresReplaceIfConfigured<T>(): PlanModifier<T> {
  return replacing<T>("A change of this attribute in the configuration replaces the resource.", ({ config }) => config !== null);
}

function replacing<T>(description: string, condition: (change: AttributeChange<T>) => boolean): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    (change) => {
      if (change.operation === "update" && condition(change)) change.requireReplace();
      return change.planned;
    },
    { description },
  );
}
