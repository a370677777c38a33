// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject } from "../documents/json.ts";
import {
  attributesOf,
  below,
  describeAll,
  elementsOf,
  type Expected,
  type KnownValue,
  knownValueOf,
  leaf,
  type Mismatch,
} from "./known-value.ts";

/** A list with these elements. */
export function listExact(elements: readonly Expected[]): KnownValue {
  return elementsOf(elements);
}

/** A list that has these elements at these indices, and possibly more. */
export function listPartial(elements: Readonly<Record<number, Expected>>): KnownValue {
  const expected = Object.entries(elements).map(([index, value]) => [Number(index), knownValueOf(value)] as const);
  const description = `a list with ${expected.map(([index, { description }]) => `${description} at ${index}`).join(", ")}`;
  return {
    description,
    mismatches: (actual) =>
      isArray(actual)
        ? expected.flatMap(([index, value]) => below(index, value.mismatches(actual[index])))
        : [{ path: [], expected: description, actual }],
  };
}

/** A list with this number of elements. */
export function listSizeExact(size: number): KnownValue {
  return leaf(sizeText(size), (actual) => isArray(actual) && actual.length === size);
}

/** A tuple with these elements. */
export function tupleExact(elements: readonly Expected[]): KnownValue {
  return elementsOf(elements);
}

/** A tuple that has these elements at these indices, and possibly more. */
export function tuplePartial(elements: Readonly<Record<number, Expected>>): KnownValue {
  return listPartial(elements);
}

/** A tuple with this number of elements. */
export function tupleSizeExact(size: number): KnownValue {
  return listSizeExact(size);
}

/** A set with these elements, in any order. */
export function setExact(elements: readonly Expected[]): KnownValue {
  return setOf(elements, false);
}

/** A set that has these elements, and possibly more. */
export function setPartial(elements: readonly Expected[]): KnownValue {
  return setOf(elements, true);
}

/** A set with this number of elements. */
export function setSizeExact(size: number): KnownValue {
  return listSizeExact(size);
}

/** A map with these elements. */
export function mapExact(elements: Readonly<Record<string, Expected>>): KnownValue {
  return attributesOf(elements, false);
}

/** A map that has these elements, and possibly more. */
export function mapPartial(elements: Readonly<Record<string, Expected>>): KnownValue {
  return attributesOf(elements, true);
}

/** A map with this number of elements. */
export function mapSizeExact(size: number): KnownValue {
  return leaf(sizeText(size), (actual) => isObject(actual) && Object.keys(actual).length === size);
}

/** An object with exactly these attributes. */
export function objectExact(attributes: Readonly<Record<string, Expected>>): KnownValue {
  return attributesOf(attributes, false);
}

/** An object that has these attributes, and possibly more. */
export function objectPartial(attributes: Readonly<Record<string, Expected>>): KnownValue {
  return attributesOf(attributes, true);
}

function setOf(elements: readonly Expected[], isPartial: boolean): KnownValue {
  const expected = elements.map(knownValueOf);
  const description = `a set of ${describeAll(expected)}${isPartial ? " and possibly more" : ""}`;
  return {
    description,
    mismatches(actual) {
      if (!isArray(actual)) return [{ path: [], expected: description, actual }];
      const accepted = expected.map((value) => actual.flatMap((element, index) => (value.mismatches(element).length === 0 ? [index] : [])));
      const matches = matchElements(accepted);
      const found: Mismatch[] = [];
      for (const [index, value] of expected.entries()) {
        if (!matches.has(index)) found.push({ path: [], expected: `an element ${value.description}`, actual });
      }
      if (isPartial) return found;
      const used = new Set(matches.values());
      const extra = actual.flatMap((element, index) =>
        used.has(index) ? [] : [{ path: [index], expected: "no such element", actual: element }],
      );
      return [...found, ...extra];
    },
  };
}

/**
 * Matches expected elements one to one with actual elements that they accept, as many as possible (by augmenting paths). An expected element may
 * accept several actual ones.
 *
 * @param accepted Indices of the actual elements that each expected element accepts.
 * @returns The index of the actual element by the index of the expected one.
 */
function matchElements(accepted: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const ownerOf = new Map<number, number>();
  const assign = (expected: number, tried: Set<number>): boolean => {
    for (const element of accepted[expected] ?? []) {
      if (tried.has(element)) continue;
      tried.add(element);
      const owner = ownerOf.get(element);
      if (owner === undefined || assign(owner, tried)) {
        ownerOf.set(element, expected);
        return true;
      }
    }
    return false;
  };
  for (const index of accepted.keys()) assign(index, new Set());
  return new Map([...ownerOf].map(([element, expected]) => [expected, element]));
}

function sizeText(size: number): string {
  return size === 1 ? "1 element" : `${size} elements`;
}
