// SPDX-License-Identifier: Apache-2.0
import type { PlanModifier } from "../definition/attribute-options.ts";
import type { PathExpression } from "../paths/path-expression.ts";
import { isUnknown } from "@tenon/schema";

/**
 * Plans the recorded value instead of an unknown one, for a computed attribute that updates do not change, such as an id. Has no effect on
 * create, in elements that an update adds, and if the configured value is unknown.
 */
export function useStateForUnknown<T>(): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    ({ state, planned, config, isNew }) => (!isNew && isUnknown(planned) && !isUnknown(config) ? state : planned),
    { description: "Once set, this value does not change with an update." },
  );
}

/** {@link useStateForUnknown}, but the value stays unknown if the recorded value is null, because a later update may set it. */
export function useNonNullStateForUnknown<T>(): PlanModifier<T> {
  return Object.assign<PlanModifier<T>, { readonly description: string }>(
    ({ state, planned, config, isNew }) => (!isNew && state !== null && isUnknown(planned) && !isUnknown(config) ? state : planned),
    { description: "Once set to a value other than null, it does not change with an update." },
  );
}

/**
 * {@link useStateForUnknown}, unless one of the given attributes changes: `useStateForUnknownUnless(here.parent().at("zone"))` for an
 * address that depends on a zone. An unknown value counts as a change.
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
