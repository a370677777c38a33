// SPDX-License-Identifier: Apache-2.0
import type { PlanModifier } from "../definition/attribute-options.ts";
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
