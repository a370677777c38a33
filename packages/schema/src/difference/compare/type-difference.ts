// SPDX-License-Identifier: Apache-2.0
import { attributeStep, dynamic, indexStep, type Type, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { partsOf } from "../../model/value-parts.ts";
import { alignedPairs } from "./alignment.ts";
import type { Difference, DifferenceAction } from "../difference.ts";
import { hiddenOr } from "./hidden-difference.ts";
import {
  asCreate,
  asDelete,
  childPair,
  combinedAction,
  differenceAt,
  elementPair,
  isAbsent,
  sameElements,
  startingAction,
  wholeAction,
  type ValuePair,
} from "./value-pair.ts";

/** Compares two values by their type, without a schema. */
export function typeDifference(pair: ValuePair, type: Type): Difference {
  return hiddenOr(pair, (shown) => shownDifference(shown, type));
}

function shownDifference(pair: ValuePair, type: Type): Difference {
  switch (type.kind) {
    case "object":
      return objectDifference(pair, (name) => type.attributes[name]!, type.names);
    case "map":
      return mapDifference(pair, type.element);
    case "list":
      return listDifference(pair, (element) => typeDifference(element, type.element));
    case "tuple":
      return tupleDifference(pair, type.elements);
    case "set":
      return setDifference(pair, (element) => typeDifference(element, type.element), false);
    case "dynamic":
      // A dynamic value is compared as JSON, which has no paths that force a replacement.
      return dynamicDifference({ ...pair, requiresReplace: [] });
    default:
      return differenceAt(pair, wholeAction(pair), { kind: "primitive", type });
  }
}

/** Compares two parts of dynamic values. An unknown one that was null counts as created. @see OpenTofu jsonformat/jsondiff */
function partDifference(pair: ValuePair): Difference {
  return hiddenOr(
    pair,
    (shown) => shownDifference(shown, dynamic),
    false,
    () => "create",
  );
}

function objectDifference(pair: ValuePair, typeOf: (name: string) => Type, names: readonly string[]): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const name of names) {
    const child = childPair(pair, attributeStep(name), false);
    const inside = typeDifference(child, typeOf(name));
    if (inside.action === "noOp" && isAbsent(child)) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(pair, action, { kind: "object", nested: false, attributes });
}

function mapDifference(pair: ValuePair, elementType: Type): Difference {
  const elements = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const key of keysOf(pair)) {
    const element = typeDifference(childPair(pair, indexStep(key), true), elementType);
    elements.set(key, element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(pair, action, { kind: "map", nested: false, elements });
}

/** Returns the keys of both sides in code point order. */
export function keysOf(pair: ValuePair): readonly string[] {
  const [before, after] = [pair.before, pair.after].map(({ value }) => (value === undefined ? [] : namesOf(value)));
  // The names and keys of one value are in this order already.
  if (before!.length === 0) return after!;
  if (after!.length === 0) return before!;
  return [...new Set([...before!, ...after!])].toSorted(compareCodePoints);
}

/** The names of an object's attributes, or the keys of a map, in code point order. */
function namesOf({ type, payload }: Value): readonly string[] {
  if (type.kind === "object") return type.names;
  return payload instanceof Map ? [...(payload as ReadonlyMap<string, unknown>).keys()] : [];
}

function elementsOf(side: ValuePair["before"]): readonly Value[] {
  return side.value ? partsOf(side.value).map((part) => part.value) : [];
}

function listDifference(pair: ValuePair, compareElements: (pair: ValuePair) => Difference): Difference {
  const before = elementsOf(pair.before);
  const after = elementsOf(pair.after);
  const elements: Difference[] = [];
  let action = startingAction(pair);
  for (const aligned of alignedPairs(before, after, sameElements, isOneElement)) {
    const place = indexStep(aligned.before ?? aligned.after!);
    const child = elementPair(
      pair,
      place,
      aligned.before === undefined ? undefined : before[aligned.before],
      aligned.after === undefined ? undefined : after[aligned.after],
    );
    const element = compareElements(child);
    elements.push(element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(pair, action, { kind: "list", nested: false, elements });
}

/** Whether two elements are rendered as one changed element: two objects, or two texts with a common line. */
function isOneElement(a: Value, b: Value): boolean {
  const isObject = (value: Value): boolean => value.type.kind === "object" || value.type.kind === "map";
  if (isObject(a) && isObject(b)) return true;
  if (typeof a.payload !== "string" || typeof b.payload !== "string" || !`${a.payload}${b.payload}`.includes("\n")) return false;
  const lines = new Set(a.payload.split("\n"));
  return b.payload.split("\n").some((line) => lines.has(line));
}

function tupleDifference(pair: ValuePair, types: readonly Type[]): Difference {
  let action = startingAction(pair);
  const elements = types.map((type, index) => {
    const element = typeDifference(childPair(pair, indexStep(index), true), type);
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(pair, action, { kind: "list", nested: false, elements });
}

/** Compares two sets: first the elements of the set before, then the new ones. */
export function setDifference(pair: ValuePair, ofElement: (element: ValuePair) => Difference, nested: boolean): Difference {
  let action = startingAction(pair);
  const elements = setElements(pair).map((child) => {
    const element = ofElement(child);
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(pair, action, { kind: "set", nested, elements });
}

/** Returns the elements of both sides, each with its equal element on the other side if there is one. */
export function setElements(pair: ValuePair): ValuePair[] {
  const unused = [...elementsOf(pair.after)];
  const kept = elementsOf(pair.before).map((value) => {
    const match = unused.findIndex((candidate) => sameElements(value, candidate));
    const after = match === -1 ? undefined : unused.splice(match, 1)[0];
    return elementPair(pair, indexStep(value), value, after);
  });
  return [...kept, ...unused.map((value) => elementPair(pair, indexStep(value), undefined, value))];
}

/** Compares values of a dynamic type by their actual types, as JSON is compared. */
function dynamicDifference(pair: ValuePair): Difference {
  const [before, after] = [shapeOf(pair.before.value), shapeOf(pair.after.value)];
  const isDeleted = after === "null" && !pair.after.isPresent;
  const isCreated = before === "null" && !pair.before.isPresent;
  if (before === after || isDeleted || isCreated) return shapeDifference(pair, before === "null" ? after : before);
  const deleted = shapeDifference(asDelete(pair), before);
  const created = shapeDifference(asCreate(pair), after);
  return differenceAt(pair, "update", { kind: "typeChange", before: deleted, after: created });
}

type Shape = "null" | "object" | "array" | "string" | "number" | "bool" | "other";

function shapeOf(value: Value | undefined): Shape {
  switch (value?.type.kind) {
    case undefined:
      return "null";
    case "object":
    case "map":
      return "object";
    case "list":
    case "tuple":
    case "set":
      return "array";
    case "string":
    case "number":
    case "bool":
      return value.type.kind;
    default:
      return "other";
  }
}

function shapeDifference(pair: ValuePair, shape: Shape): Difference {
  if (shape === "array") return listDifference(pair, partDifference);
  if (shape !== "object")
    return differenceAt(pair, primitiveAction(pair), {
      kind: "primitive",
      type: (pair.before.value ?? pair.after.value)?.type ?? dynamic,
    });
  const attributes = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const key of keysOf(pair)) {
    const inside = partDifference(childPair(pair, indexStep(key), true));
    attributes.set(key, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(pair, action, { kind: "object", nested: false, attributes });
}

/** Returns the action on a primitive in a dynamic value. A null element or attribute is a value there. */
function primitiveAction(pair: ValuePair): DifferenceAction {
  return wholeAction({ ...pair, before: { ...pair.before, sensitive: false }, after: { ...pair.after, sensitive: false } });
}
