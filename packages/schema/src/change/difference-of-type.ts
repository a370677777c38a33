// SPDX-License-Identifier: Apache-2.0
import { attributeStep, dynamic, indexStep, type Type, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { partsOf } from "../model/value-parts.ts";
import { alignedPairs } from "./alignment.ts";
import type { Difference, DifferenceAction } from "./difference.ts";
import { hiddenOr } from "./difference-of-hidden.ts";
import {
  asCreate,
  asDelete,
  childChange,
  combinedAction,
  differenceAt,
  elementChange,
  isAbsent,
  sameUnmarked,
  startingAction,
  wholeAction,
  type Change,
} from "./side-by-side.ts";

/** The difference of two values of a type, which knows no schema. */
export function typeDifference(change: Change, type: Type): Difference {
  return hiddenOr(change, (shown) => shownDifference(shown, type));
}

function shownDifference(change: Change, type: Type): Difference {
  switch (type.kind) {
    case "object":
      return objectDifference(change, (name) => type.attributes[name]!, type.names);
    case "map":
      return mapDifference(change, type.element);
    case "list":
      return listDifference(change, () => type.element);
    case "tuple":
      return tupleDifference(change, type.elements);
    case "set":
      return setDifference(change, (element) => typeDifference(element, type.element), false);
    case "dynamic":
      return dynamicDifference(change);
    default:
      return differenceAt(change, wholeAction(change), { kind: "primitive", type });
  }
}

function objectDifference(change: Change, typeOf: (name: string) => Type, names: readonly string[]): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(change);
  for (const name of names) {
    const child = childChange(change, attributeStep(name), false);
    const inside = typeDifference(child, typeOf(name));
    if (inside.action === "noOp" && isAbsent(child)) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(change, action, { kind: "object", nested: false, attributes });
}

function mapDifference(change: Change, elementType: Type): Difference {
  const elements = new Map<string, Difference>();
  let action = startingAction(change);
  for (const key of keysOf(change)) {
    const element = typeDifference(childChange(change, indexStep(key), true), elementType);
    elements.set(key, element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(change, action, { kind: "map", nested: false, elements });
}

/** The keys of both sides, by code point. */
export function keysOf(change: Change): readonly string[] {
  const keys = new Set<string>();
  for (const { value } of [change.before, change.after]) {
    if (value) for (const { step } of partsOf(value)) keys.add(step.kind === "attribute" ? step.name : (step.key.payload as string));
  }
  return [...keys].toSorted(compareCodePoints);
}

function elementsOf(side: Change["before"]): readonly Value[] {
  return side.value ? partsOf(side.value).map((part) => part.value) : [];
}

function listDifference(change: Change, typeOf: (before: number | undefined, after: number | undefined) => Type): Difference {
  const before = elementsOf(change.before);
  const after = elementsOf(change.after);
  const elements: Difference[] = [];
  let action = startingAction(change);
  for (const pair of alignedPairs(before, after, sameUnmarked, isOneElement)) {
    const place = indexStep(pair.before ?? pair.after!);
    const child = elementChange(
      change,
      place,
      pair.before === undefined ? undefined : before[pair.before],
      pair.after === undefined ? undefined : after[pair.after],
    );
    const element = typeDifference(child, typeOf(pair.before, pair.after));
    elements.push(element);
    action = combinedAction(action, element.action);
  }
  return differenceAt(change, action, { kind: "list", nested: false, elements });
}

/** Two objects in one place, and two texts with a line in common, are one element that changed. */
function isOneElement(a: Value, b: Value): boolean {
  const isObject = (value: Value): boolean => value.type.kind === "object" || value.type.kind === "map";
  if (isObject(a) && isObject(b)) return true;
  if (typeof a.payload !== "string" || typeof b.payload !== "string" || !`${a.payload}${b.payload}`.includes("\n")) return false;
  const lines = new Set(a.payload.split("\n"));
  return b.payload.split("\n").some((line) => lines.has(line));
}

function tupleDifference(change: Change, types: readonly Type[]): Difference {
  let action = startingAction(change);
  const elements = types.map((type, index) => {
    const element = typeDifference(childChange(change, indexStep(index), true), type);
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(change, action, { kind: "list", nested: false, elements });
}

/** Elements of a set: first those that were there, then those that are new. */
export function setDifference(change: Change, ofElement: (element: Change) => Difference, nested: boolean): Difference {
  let action = startingAction(change);
  const elements = setElements(change).map((child) => {
    const element = ofElement(child);
    action = combinedAction(action, element.action);
    return element;
  });
  return differenceAt(change, action, { kind: "set", nested, elements });
}

/** The elements of both sides, each with its equal where it has one. */
export function setElements(change: Change): Change[] {
  const unused = [...elementsOf(change.after)];
  const kept = elementsOf(change.before).map((value) => {
    const match = unused.findIndex((candidate) => sameUnmarked(value, candidate));
    const after = match === -1 ? undefined : unused.splice(match, 1)[0];
    return elementChange(change, indexStep(value), value, after);
  });
  return [...kept, ...unused.map((value) => elementChange(change, indexStep(value), undefined, value))];
}

/** A value of no given type is compared by what it is, as JSON would be. */
function dynamicDifference(change: Change): Difference {
  const [before, after] = [shapeOf(change.before.value), shapeOf(change.after.value)];
  const isDeleted = after === "null" && !change.after.there;
  const isCreated = before === "null" && !change.before.there;
  if (before === after || isDeleted || isCreated) return shapeDifference(change, before === "null" ? after : before);
  const gone = shapeDifference(asDelete(change), before);
  const come = shapeDifference(asCreate(change), after);
  return differenceAt(change, "update", { kind: "typeChange", before: gone, after: come });
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

function shapeDifference(change: Change, shape: Shape): Difference {
  if (shape === "array") return listDifference(change, () => dynamic);
  if (shape !== "object")
    return differenceAt(change, primitiveAction(change), {
      kind: "primitive",
      type: (change.before.value ?? change.after.value)?.type ?? dynamic,
    });
  const attributes = new Map<string, Difference>();
  let action = startingAction(change);
  for (const key of keysOf(change)) {
    const inside = typeDifference(childChange(change, indexStep(key), true), dynamic);
    attributes.set(key, inside);
    action = combinedAction(action, inside.action);
  }
  return differenceAt(change, action, { kind: "object", nested: false, attributes });
}

/** Here a null in a list or object is a value like others. */
function primitiveAction(change: Change): DifferenceAction {
  return wholeAction({ ...change, before: { ...change.before, sensitive: false }, after: { ...change.after, sensitive: false } });
}
