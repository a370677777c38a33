// SPDX-License-Identifier: Apache-2.0
import { attributeStep, dynamic, indexStep } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { hasAttribute, isSensitive, type AttributesAndBlocks } from "../../model/attribute-walk.ts";
import type { Attribute, NestedAttributes } from "../../model/schema.ts";
import { countOf, partsOf } from "../../model/value-parts.ts";
import type { Difference, DifferenceAction } from "../difference.ts";
import { hiddenOr } from "./hidden-difference.ts";
import { keysOf, setDifference, typeDifference } from "./type-difference.ts";
import { childPair, combinedAction, differenceAt, isAbsent, startingAction, type ValuePair, type Side } from "./value-pair.ts";

/** Compares an attribute. `around` is the action on the block or object that contains it, as far as it is known. */
export function attributeDifference(pair: ValuePair, attribute: Attribute, around: DifferenceAction): Difference {
  if (attribute.writeOnly) {
    // A write-only attribute that forces the replacement is shown, although its value is null on both sides.
    const forces = pair.requiresReplace.some((path) => path.length === 0);
    return differenceAt(pair, around === "noOp" && forces ? "update" : around, { kind: "writeOnly" });
  }
  const marked = attribute.sensitive ? sensitive(pair) : pair;
  return attribute.nested
    ? nestedDifference(marked, attribute.nested, attribute.nested.nesting)
    : typeDifference(marked, attribute.type ?? dynamic);
}

/** Labels a value that is sensitive by the schema, on the sides on which no block hides it. */
function sensitive(pair: ValuePair): ValuePair {
  if (isAbsent(pair) && pair.unknown !== true) return pair;
  const { before, after, hidden } = pair;
  return { ...pair, before: { ...before, sensitive: !hidden.before }, after: { ...after, sensitive: !hidden.after } };
}

function nestedDifference(plain: ValuePair, nested: NestedAttributes, nesting: NestedAttributes["nesting"]): Difference {
  const pair = nesting === "set" ? withHiddenElements(plain, nested) : plain;
  return hiddenOr(pair, (shown) => shownNestedDifference(shown, nested, nesting), nesting === "single" ? "attributes" : false);
}

function shownNestedDifference(pair: ValuePair, nested: NestedAttributes, nesting: NestedAttributes["nesting"]): Difference {
  switch (nesting) {
    case "single":
      return objectDifference(pair, nested);
    case "list":
      return listDifference(pair, nested);
    case "map":
      return mapDifference(pair, nested);
    default:
      return setDifference(pair, (element) => nestedDifference(element, nested, "single"), true);
  }
}

/**
 * Labels a whole set as sensitive where an element contains a sensitive attribute: elements could be recognised by it. Not done where the
 * marks of the values say which sets are sensitive.
 */
export function withHiddenElements(pair: ValuePair, body: AttributesAndBlocks): ValuePair {
  if (!pair.hidesSets) return pair;
  const hasSensitive = ({ value }: Side): boolean =>
    value !== undefined && partsOf(value).some((element) => hasAttribute(body, element.value, isSensitive));
  const hide = (side: Side): Side => (hasSensitive(side) ? { ...side, sensitive: true } : side);
  return { ...pair, before: hide(pair.before), after: hide(pair.after) };
}

function objectDifference(pair: ValuePair, nested: NestedAttributes): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const [name, attribute] of inOrderOfEvidence(pair, nested.attributes)) {
    const child = childPair(pair, attributeStep(name), false);
    const inside = attributeDifference(child, attribute, action);
    if (inside.action === "noOp" && isAbsent(child)) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(pair, action, { kind: "object", nested: true, attributes: sortedByName(attributes) });
}

/**
 * Sorts attributes so that the action on their block or object follows from the first ones. Write-only attributes come last, those that
 * force a replacement before the others.
 */
export function inOrderOfEvidence(
  pair: ValuePair,
  attributes: Readonly<Record<string, Attribute>>,
): readonly (readonly [string, Attribute])[] {
  const sorted = sortedAttributes(attributes);
  if (!sorted.some(([, { writeOnly }]) => writeOnly)) return sorted;
  const rank = ([name, { writeOnly }]: readonly [string, Attribute]): number => {
    if (!writeOnly) return 0;
    return childPair(pair, attributeStep(name), false).requiresReplace.some((path) => path.length === 0) ? 1 : 2;
  };
  return sorted.toSorted((a, b) => rank(a) - rank(b));
}

const knownOrders = new WeakMap<Readonly<Record<string, Attribute>>, readonly (readonly [string, Attribute])[]>();

/** The attributes of a schema sorted by name. Computed once for each schema. */
function sortedAttributes(attributes: Readonly<Record<string, Attribute>>): readonly (readonly [string, Attribute])[] {
  let sorted = knownOrders.get(attributes);
  if (sorted === undefined) {
    knownOrders.set(attributes, (sorted = Object.entries(attributes).toSorted(([a], [b]) => compareCodePoints(a, b))));
  }
  return sorted;
}

/** Returns the attributes sorted by name. */
export function sortedByName(attributes: ReadonlyMap<string, Difference>): ReadonlyMap<string, Difference> {
  let previous: string | undefined;
  for (const name of attributes.keys()) {
    if (previous !== undefined && compareCodePoints(previous, name) > 0) {
      return new Map([...attributes].toSorted(([a], [b]) => compareCodePoints(a, b)));
    }
    previous = name;
  }
  return attributes;
}

function listDifference(pair: ValuePair, nested: NestedAttributes): Difference {
  let action = startingAction(pair);
  const elements = positions(pair).map((index) => {
    const element = nestedDifference(childPair(pair, indexStep(index), true), nested, "single");
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(pair, action, { kind: "list", nested: true, elements });
}

/** Returns the positions of the longer of two lists. */
export function positions({ before, after }: ValuePair): number[] {
  const count = Math.max(before.value ? countOf(before.value) : 0, after.value ? countOf(after.value) : 0);
  return Array.from({ length: count }, (_, index) => index);
}

function mapDifference(pair: ValuePair, nested: NestedAttributes): Difference {
  const elements = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const key of keysOf(pair)) {
    const element = nestedDifference(childPair(pair, indexStep(key), true), nested, "single");
    elements.set(key, element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(pair, action, { kind: "map", nested: true, elements });
}
