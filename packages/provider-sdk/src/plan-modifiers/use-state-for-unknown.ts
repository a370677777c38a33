// SPDX-License-Identifier: Apache-2.0
import type { PlanModifier } from "../definition/attribute-options.ts";
import type { PathExpression } from "../paths/path-expression.ts";
import { isUnknown } from "../unknown.ts";

/**
 * For a computed attribute that an update does not change, such as an id: the plan shows what is recorded, and not "known after
 * apply". Does nothing on create, in elements that an update adds, and where the configuration itself is unknown.
 */
export function useStateForUnknown<T>(): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    ({ state, planned, config, isNew }) => (!isNew && isUnknown(planned) && !isUnknown(config) ? state : planned),
    { description: "Once set, this value does not change with an update." },
  );
}

/** {@link useStateForUnknown}, but where null is recorded the value stays unknown: it may be set by a later update. */
export function useNonNullStateForUnknown<T>(): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    ({ state, planned, config, isNew }) => (!isNew && state !== null && isUnknown(planned) && !isUnknown(config) ? state : planned),
    { description: "Once set to something, this value does not change with an update." },
  );
}

/**
 * {@link useStateForUnknown}, unless one of these changes: `useStateForUnknownUnless(here.parent().at("zone"))` for an address that
 * follows from a zone. What is not known yet is taken to change.
 */
export function useStateForUnknownUnless<T>(...places: readonly [PathExpression, ...PathExpression[]]): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    ({ state, planned, config, isNew, related }) => {
      if (isNew || !isUnknown(planned) || isUnknown(config)) return planned;
      return places.some((place) => related(place).some(({ changes }) => changes)) ? planned : state;
    },
    { description: `Once set, this value only changes with ${places.map(String).join(", ")}.` },
  );
}
