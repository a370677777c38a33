// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import type { Json } from "../documents/json.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import { resourceAt, resourcesOf, type StateDocument } from "../documents/state-document.ts";
import { containsMark, formatPath, isMarked, valueAt, type ValuePath } from "../documents/value-path.ts";
import type { Expected } from "../known-value/known-value.ts";
import type { PlanCheck, StateCheck } from "./check.ts";
import { compareWithExpected } from "./mismatch-text.ts";
import { changeAt, missingChange } from "./resource-action.ts";
import type { PathIn, ResourceAddress } from "./resource-address.ts";

/**
 * Checks the value of an attribute, in a plan (its planned value) or in a state.
 *
 * @param path An attribute, or an array of steps: `["layout", "columns"]`.
 * @param expected Data that the value must equal, or a value of `@tenon/testing/known-value`.
 */
export function expectKnownValue<T = unknown>(address: ResourceAddress<T>, path: PathIn<T>, expected: Expected): PlanCheck & StateCheck {
  const compare = (values: Json | undefined, sensitive: Json | undefined): string | undefined =>
    compareWithExpected({ subject: address, path, actual: valueAt(values, path), sensitive }, expected);
  return {
    name: "expectKnownValue",
    site: callSite(expectKnownValue),
    checkPlan: (plan) => {
      const found = changeAt(plan, address);
      if (found === undefined) return missingChange(plan, address);
      if (isMarked(found.change.after_unknown, path)) return `${placeOf(address, path)} must be known in the plan, but is unknown`;
      return compare(found.change.after, found.change.after_sensitive);
    },
    checkState: (state) => {
      const found = resourceAt(state, address);
      return found === undefined ? missingResource(state, address) : compare(found.values, found.sensitive_values);
    },
  };
}

/** Checks that a planned value is unknown until the apply. */
export function expectUnknownValue<T = unknown>(address: ResourceAddress<T>, path: PathIn<T>): PlanCheck {
  return {
    name: "expectUnknownValue",
    site: callSite(expectUnknownValue),
    checkPlan: (plan) => {
      const found = changeAt(plan, address);
      if (found === undefined) return missingChange(plan, address);
      if (isMarked(found.change.after_unknown, path)) return undefined;
      return `${placeOf(address, path)} must be unknown in the plan, but is known`;
    },
  };
}

/** Checks that a value is sensitive, in a plan or in a state: by the schema, or because the configuration makes it so. */
export function expectSensitiveValue<T = unknown>(address: ResourceAddress<T>, path: PathIn<T>): PlanCheck & StateCheck {
  const check = (sensitive: Json | undefined): string | undefined => {
    if (isMarked(sensitive, path)) return undefined;
    const part = containsMark(valueAt(sensitive, path)) ? "; only a part of it is" : "";
    return `${placeOf(address, path)} must be sensitive, but is not${part}`;
  };
  return {
    name: "expectSensitiveValue",
    site: callSite(expectSensitiveValue),
    checkPlan: (plan: PlanDocument) => {
      const found = changeAt(plan, address);
      return found === undefined ? missingChange(plan, address) : check(found.change.after_sensitive);
    },
    checkState: (state) => {
      const found = resourceAt(state, address);
      return found === undefined ? missingResource(state, address) : check(found.sensitive_values);
    },
  };
}

/** Returns the text of a check whose resource a state lacks; it lists the resources of the state. */
export function missingResource(state: StateDocument, address: string): string {
  const addresses = resourcesOf(state).map((resource) => resource.address);
  return `the state has no resource ${address}: it has ${addresses.length === 0 ? "none" : addresses.join(", ")}`;
}

/** Formats an attribute of a resource: `notebook_note.a.title`. */
export function placeOf(address: string, path: ValuePath): string {
  return `${address}.${formatPath(path)}`;
}
