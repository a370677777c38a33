// SPDX-License-Identifier: Apache-2.0
import { attributeStep, dynamic, indexStep } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { hasAttribute, isSensitive, type AttributesAndBlocks } from "../model/attribute-walk.ts";
import type { Attribute, NestedAttributes } from "../model/schema.ts";
import { countOf, partsOf } from "../model/value-parts.ts";
import type { Difference, DifferenceAction } from "./difference.ts";
import { hiddenOr } from "./difference-of-hidden.ts";
import { keysOf, setDifference, typeDifference } from "./difference-of-type.ts";
import { childChange, combinedAction, differenceAt, isAbsent, startingAction, type Change, type Side } from "./side-by-side.ts";

/** The difference of an attribute. `around`: what happens to the block or object it is in, as far as is known by now. */
export function attributeDifference(change: Change, attribute: Attribute, around: DifferenceAction): Difference {
  if (attribute.writeOnly) {
    // It must be shown where it forces the replacement, though nothing else tells of a change.
    const forces = change.requiresReplace.some((path) => path.length === 0);
    return differenceAt(change, around === "noOp" && forces ? "update" : around, { kind: "writeOnly" });
  }
  const marked = attribute.sensitive ? sensitive(change) : change;
  return attribute.nested
    ? nestedDifference(marked, attribute.nested, attribute.nested.nesting)
    : typeDifference(marked, attribute.type ?? dynamic);
}

/** What the schema calls sensitive is so on both sides, where there is anything. */
function sensitive(change: Change): Change {
  if (isAbsent(change) && change.unknown !== true) return change;
  return { ...change, before: { ...change.before, sensitive: true }, after: { ...change.after, sensitive: true } };
}

function nestedDifference(plain: Change, nested: NestedAttributes, nesting: NestedAttributes["nesting"]): Difference {
  const change = nesting === "set" ? withHiddenElements(plain, nested) : plain;
  return hiddenOr(change, (shown) => shownNestedDifference(shown, nested, nesting), nesting === "single" ? "attributes" : false);
}

function shownNestedDifference(change: Change, nested: NestedAttributes, nesting: NestedAttributes["nesting"]): Difference {
  switch (nesting) {
    case "single":
      return objectDifference(change, nested);
    case "list":
      return listDifference(change, nested);
    case "map":
      return mapDifference(change, nested);
    default:
      return setDifference(change, (element) => nestedDifference(element, nested, "single"), true);
  }
}

/** Something sensitive in an element of a set makes the whole set so: elements could be told apart by it. */
export function withHiddenElements(change: Change, body: AttributesAndBlocks): Change {
  const hasSensitive = ({ value }: Side): boolean =>
    value !== undefined && partsOf(value).some((element) => hasAttribute(body, element.value, isSensitive));
  const hide = (side: Side): Side => (hasSensitive(side) ? { ...side, sensitive: true } : side);
  return { ...change, before: hide(change.before), after: hide(change.after) };
}

function objectDifference(change: Change, nested: NestedAttributes): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(change);
  for (const [name, attribute] of inTellingOrder(change, nested.attributes)) {
    const child = childChange(change, attributeStep(name), false);
    const inside = attributeDifference(child, attribute, action);
    if (inside.action === "noOp" && isAbsent(child)) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(change, action, { kind: "object", nested: true, attributes: sortedByName(attributes) });
}

/**
 * Attributes in the order in which they tell what happens to what they are in: of the write-only ones, which come last, only those
 * do that force a replacement.
 */
export function inTellingOrder(change: Change, attributes: Readonly<Record<string, Attribute>>): readonly (readonly [string, Attribute])[] {
  const rank = ([name, { writeOnly }]: readonly [string, Attribute]): number => {
    if (!writeOnly) return 0;
    return childChange(change, attributeStep(name), false).requiresReplace.some((path) => path.length === 0) ? 1 : 2;
  };
  return Object.entries(attributes).toSorted((a, b) => rank(a) - rank(b));
}

export function sortedByName(attributes: ReadonlyMap<string, Difference>): ReadonlyMap<string, Difference> {
  return new Map([...attributes].toSorted(([a], [b]) => compareCodePoints(a, b)));
}

function listDifference(change: Change, nested: NestedAttributes): Difference {
  let action = startingAction(change);
  const elements = positions(change).map((index) => {
    const element = nestedDifference(childChange(change, indexStep(index), true), nested, "single");
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(change, action, { kind: "list", nested: true, elements });
}

/** The positions in the longer of two lists. */
export function positions({ before, after }: Change): number[] {
  const count = Math.max(before.value ? countOf(before.value) : 0, after.value ? countOf(after.value) : 0);
  return Array.from({ length: count }, (_, index) => index);
}

function mapDifference(change: Change, nested: NestedAttributes): Difference {
  const elements = new Map<string, Difference>();
  let action = startingAction(change);
  for (const key of keysOf(change)) {
    const element = nestedDifference(childChange(change, indexStep(key), true), nested, "single");
    elements.set(key, element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(change, action, { kind: "map", nested: true, elements });
}
