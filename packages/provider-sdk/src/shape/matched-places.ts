// SPDX-License-Identifier: Apache-2.0
import { indexStep, type ObjectType, type Path, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, payloadsSame, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { EntryShape, ObjectShape, Shape } from "./shape.ts";
import type { ExpressionStep } from "../paths/path-expression.ts";

/** A part of a value, with its path and shape. */
export interface Place {
  readonly path: Path;
  readonly shape: Shape;
  /** The entry, if the part is an attribute or block. */
  readonly entry?: EntryShape;
  /** The part's value. It is null or unknown if one of its ancestors is. */
  readonly value: Value;
}

/** Returns the parts that match steps from the root; none if an element does not exist. */
export function matchedPlaces(root: ObjectShape, value: Value, steps: readonly ExpressionStep[]): readonly Place[] {
  let places: readonly Place[] = [{ path: [], shape: root, value }];
  for (const step of steps) places = places.flatMap((place) => inside(place, step));
  return places;
}

function inside(place: Place, step: ExpressionStep): readonly Place[] {
  const { shape, value, path } = place;
  const { type, payload } = value;
  if (shape.kind === "object") {
    const name = nameOf(step);
    const entry = name === undefined ? undefined : shape.byName.get(name);
    if (entry === undefined) return [];
    return [{ path: [...path, entry.step], shape: entry.shape, entry, value: memberOf(type, payload, entry) }];
  }
  if (!("element" in shape)) return [];
  // A null or unknown collection has no elements to match.
  if (payload === null || isUnknownPayload(payload))
    return [{ shape: shape.element, value: valueOf(shape.element.type, payload), path: [...path, ...keysOf(step)] }];
  return elementsOf(shape.kind, shape.element.type, payload)
    .filter(([key]) => matchesKey(step, key, shape.kind))
    .map(([key, element]) => ({
      path: [...path, key],
      shape: shape.element,
      value: valueOf(shape.element.type, element),
    }));
}

/** Returns the path step of an index or key; empty for other steps. */
function keysOf(step: ExpressionStep): Path {
  if (step.kind === "exact") return [step.step];
  if (step.kind === "index") return [indexStep(step.index)];
  return step.kind === "key" ? [indexStep(step.key)] : [];
}

function nameOf(step: ExpressionStep): string | undefined {
  if (step.kind === "attribute") return step.name;
  return step.kind === "exact" && step.step.kind === "attribute" ? step.step.name : undefined;
}

function memberOf(type: Type, payload: Payload, entry: EntryShape): Value {
  if (payload === null) return valueOf(entry.shape.type, null);
  if (isUnknownPayload(payload)) return valueOf(entry.shape.type, UNKNOWN);
  return valueOf((type as ObjectType).attributes[entry.name]!, (payload as readonly Payload[])[entry.slot]!);
}

type Element = readonly [key: ReturnType<typeof indexStep>, payload: Payload];

function elementsOf(kind: "list" | "set" | "map", type: Type, payload: Payload): readonly Element[] {
  if (kind === "map") return [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => [indexStep(key), element]);
  return (payload as readonly Payload[]).map((element, index) => [indexStep(kind === "set" ? valueOf(type, element) : index), element]);
}

function matchesKey(step: ExpressionStep, key: Element[0], kind: "list" | "set" | "map"): boolean {
  const { payload, type } = (key as Extract<typeof key, { readonly kind: "index" }>).key;
  switch (step.kind) {
    case "anyIndex":
      return kind === "list";
    case "anyKey":
      return kind === "map";
    case "anyElement":
      return kind === "set";
    case "index":
      return kind === "list" && payload === step.index;
    case "key":
      return kind === "map" && payload === step.key;
    case "exact":
      return step.step.kind === "index" && step.step.key.type === type && payloadsSame(type, step.step.key.payload, payload);
    default:
      return false;
  }
}

/** Returns why steps cannot match a part of any value of the shape, or undefined. */
export function expressionFault(root: ObjectShape, steps: readonly ExpressionStep[]): string | undefined {
  let shape: Shape = root;
  for (const step of steps) {
    if (shape.kind === "object") {
      const entry: EntryShape | undefined = step.kind === "attribute" ? shape.byName.get(step.name) : undefined;
      if (entry === undefined)
        return step.kind === "attribute"
          ? `there is no attribute or block ${JSON.stringify(step.name)}`
          : "a step into an object must name an attribute or block";
      shape = entry.shape;
    } else if ("element" in shape) {
      const fits: Readonly<Record<typeof shape.kind, readonly string[]>> = {
        list: ["anyIndex", "index"],
        map: ["anyKey", "key"],
        set: ["anyElement"],
      };
      if (!fits[shape.kind].includes(step.kind)) return `a step into a ${shape.kind} must select an element`;
      shape = shape.element;
    } else return `a ${shape.kind} has no elements or attributes`;
  }
  return undefined;
}
