// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import { isArray, isObject, type Json } from "../documents/json.ts";
import { resourceAt, type StateDocument } from "../documents/state-document.ts";
import { isMarked, stepsOf, valueAt, type PathStep, type ValuePath } from "../documents/value-path.ts";
import { showValue } from "../documents/show-value.ts";
import type { CheckOutcome, StateCheck } from "./check.ts";
import type { ValueComparer } from "./comparer.ts";
import type { PathIn, ResourceAddress } from "./resource-address.ts";
import { missingResource, placeOf } from "./resource-value.ts";

/** A comparison of values of several steps. */
export interface StepsComparison {
  /**
   * Returns the check that adds a value of a step's state to the comparison. It fails if the values that were added so far do not follow the rule.
   */
  readonly addStateValue: <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>) => StateCheck;
}

/** A value that a comparison found, and how a text shows it. */
interface FoundValue {
  readonly value: Json | undefined;
  readonly shown: string;
}

/**
 * Compares values of several steps. Each run of a case needs a comparison of its own.
 *
 * @example
 * const ids = compareValue(valuesSame());
 * // in each step: stateChecks: [ids.addStateValue("notebook_note.a", "id")]
 */
export function compareValue(comparer: ValueComparer): StepsComparison {
  const values: FoundValue[] = [];
  const addStateValue = <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>): StateCheck => ({
    name: "compareValue",
    site: callSite(addStateValue),
    checkState: (state) =>
      withValue(state, address, path, (found) => {
        values.push(found);
        return checkValues(comparer, values, `the values of ${placeOf(address, path)} over the steps`);
      }),
  });
  return { addStateValue };
}

/** Compares the values of two attributes of a state. */
export function compareValuePairs<A = unknown, B = unknown>(
  first: ResourceAddress<A>,
  firstPath: PathIn<A>,
  second: ResourceAddress<B>,
  secondPath: PathIn<B>,
  comparer: ValueComparer,
): StateCheck {
  const what = `${placeOf(first, firstPath)} and ${placeOf(second, secondPath)}`;
  return {
    name: "compareValuePairs",
    site: callSite(compareValuePairs),
    checkState: (state) =>
      withValue(state, first, firstPath, (a) => withValue(state, second, secondPath, (b) => checkValues(comparer, [a, b], what))),
  };
}

/**
 * Compares the elements of a collection with the value of another attribute: with `valuesSame`, one element must equal it; with `valuesDiffer`, one
 * must not.
 *
 * @param collectionPath The collection, then the attribute of each element: `["pages", "text"]`. Without the latter, elements are compared.
 */
export function compareValueCollection<B = unknown>(
  collection: ResourceAddress,
  collectionPath: ValuePath,
  other: ResourceAddress<B>,
  otherPath: PathIn<B>,
  comparer: ValueComparer,
): StateCheck {
  const what = `an element of ${placeOf(collection, collectionPath)} and ${placeOf(other, otherPath)}`;
  return {
    name: "compareValueCollection",
    site: callSite(compareValueCollection),
    checkState: (state) => {
      const owner = resourceAt(state, collection);
      if (owner === undefined) return missingResource(state, collection);
      const elements = elementsAt(owner.values, stepsOf(collectionPath));
      if (elements === undefined) return `${placeOf(collection, collectionPath)} is not a collection`;
      return withValue(state, other, otherPath, (found) => {
        if (elements.some((element) => comparer.accepts([element, found.value]))) return undefined;
        const isHidden = isMarked(owner.sensitive_values, stepsOf(collectionPath).slice(0, 1)) || found.shown === "(sensitive value)";
        return `${what} ${comparer.description}:\n  elements: ${showValue(elements, isHidden ? true : undefined)}\n  value:    ${found.shown}`;
      });
    },
  };
}

function checkValues(comparer: ValueComparer, values: readonly FoundValue[], what: string): CheckOutcome {
  if (comparer.accepts(values.map(({ value }) => value))) return undefined;
  return `${what} ${comparer.description}:\n  ${values.map(({ shown }) => shown).join("\n  ")}`;
}

function withValue(state: StateDocument, address: string, path: ValuePath, use: (found: FoundValue) => CheckOutcome): CheckOutcome {
  const resource = resourceAt(state, address);
  if (resource === undefined) return missingResource(state, address);
  const value = valueAt(resource.values, path);
  if (value === undefined) return `${address} has no value at ${placeOf(address, path)}`;
  const isHidden = isMarked(resource.sensitive_values, path);
  return use({ value, shown: showValue(value, isHidden ? true : valueAt(resource.sensitive_values, path)) });
}

/** Returns the elements of the collection at a path. If a collection on the path precedes its end, returns the values at the rest of the path in its elements. */
function elementsAt(value: Json | undefined, path: readonly PathStep[]): readonly Json[] | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return isArray(value) ? value : isObject(value) ? Object.values(value) : undefined;
  const isElements = isArray(value) && typeof first === "string";
  return isElements ? value.flatMap((element) => valuesBelow(element, path)) : elementsAt(valueAt(value, first), rest);
}

/** Returns the values at a path, which continues in all elements of the collections on it. */
function valuesBelow(value: Json, path: readonly PathStep[]): readonly Json[] {
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  if (isArray(value) && typeof first === "string") return value.flatMap((element) => valuesBelow(element, path));
  const next = valueAt(value, first);
  return next === undefined ? [] : valuesBelow(next, rest);
}
