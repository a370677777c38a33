// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  dynamic,
  indexStep,
  list,
  map,
  object,
  same,
  set,
  tuple,
  type Path,
  type PathStep,
  type Type,
  type Value,
} from "@tenon/cty";
import { isUnknownPayload, setPayload, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";

// Reads and builds composite values along a schema. Values here are unmarked.

/** Attribute or element of a value, with the step to it. */
export interface Part {
  readonly step: PathStep;
  readonly value: Value;
}

/** Whether a value is known and not null. */
export function hasParts(value: Value): boolean {
  return value.payload !== null && !isUnknownPayload(value.payload);
}

/** Whether a value is unknown as a whole. */
export function isUnknownValue(value: Value): boolean {
  return isUnknownPayload(value.payload);
}

/** Returns an attribute of an object value: null when the object is null, unknown when the object is unknown. */
export function attributeOf(value: Value, name: string): Value {
  const { type, payload } = value;
  if (type.kind !== "object") return valueOf(dynamic, payload === null ? null : UNKNOWN);
  const attribute = type.attributes[name];
  if (attribute === undefined)
    throw new TypeError(`the value has no attribute ${JSON.stringify(name)}: its type is not that of its schema`);
  if (payload === null) return valueOf(attribute, null);
  if (isUnknownPayload(payload)) return valueOf(attribute, UNKNOWN);
  return valueOf(attribute, (payload as readonly Payload[])[type.slots.get(name)!]!);
}

/** Returns the attributes or elements of a value in their order. Null, unknown and primitive values have none. */
export function partsOf(value: Value): readonly Part[] {
  const { type, payload } = value;
  if (payload === null || isUnknownPayload(payload)) return [];
  switch (type.kind) {
    case "list":
      return (payload as readonly Payload[]).map((element, index) => ({ step: indexStep(index), value: valueOf(type.element, element) }));
    case "tuple":
      return (payload as readonly Payload[]).map((element, index) => ({
        step: indexStep(index),
        value: valueOf(type.elements[index]!, element),
      }));
    case "set":
      return (payload as readonly Payload[]).map((element) => {
        const item = valueOf(type.element, element);
        return { step: indexStep(item), value: item };
      });
    case "map":
      return [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => ({
        step: indexStep(key),
        value: valueOf(type.element, element),
      }));
    case "object":
      return type.names.map((name) => ({ step: attributeStep(name), value: attributeOf(value, name) }));
    default:
      return [];
  }
}

/** Returns the number of elements of a known value. */
export function countOf(value: Value): number {
  const { payload } = value;
  if (Array.isArray(payload)) return payload.length;
  return payload instanceof Map ? payload.size : 0;
}

/**
 * Returns the part of a value at a step: unknown when the value is unknown, undefined when the value is null or has no such part. An
 * attribute step into a map and a string index into an object are accepted, since an object represents a map whose elements have
 * different types.
 */
export function partAt(value: Value, step: PathStep): Value | undefined {
  const { type, payload } = value;
  if (payload === null) return undefined;
  const key = step.kind === "attribute" ? step.name : step.key.payload;
  const unknown = isUnknownPayload(payload);
  switch (type.kind) {
    case "dynamic":
      return valueOf(dynamic, UNKNOWN);
    case "object":
      return typeof key === "string" && type.slots.has(key) ? attributeOf(value, key) : undefined;
    case "map": {
      if (typeof key !== "string") return undefined;
      if (unknown) return valueOf(type.element, UNKNOWN);
      const element = (payload as ReadonlyMap<string, Payload>).get(key);
      return element === undefined ? undefined : valueOf(type.element, element);
    }
    case "list":
    case "tuple": {
      if (step.kind !== "index" || typeof key !== "number") return undefined;
      const elementType = type.kind === "list" ? type.element : type.elements[key];
      if (elementType === undefined) return undefined;
      if (unknown) return valueOf(elementType, UNKNOWN);
      const element = (payload as readonly Payload[])[key];
      return element === undefined ? undefined : valueOf(elementType, element);
    }
    case "set":
      if (step.kind !== "index") return undefined;
      if (unknown) return valueOf(type.element, UNKNOWN);
      return partsOf(value).find((part) => same(part.value, step.key))?.value;
    default:
      return undefined;
  }
}

/** Returns the part of a value at a path; undefined when the path does not exist or passes through null. */
export function valueAt(value: Value, path: Path): Value | undefined {
  let found: Value | undefined = value;
  for (const step of path) {
    if (found === undefined) return undefined;
    found = partAt(found, step);
  }
  return found;
}

/**
 * Creates an object value from its attributes.
 *
 * @param likely - The expected type, which is faster to check than a new type is to create.
 */
export function objectOf(attributes: ReadonlyMap<string, Value>, likely?: Type): Value {
  if (likely?.kind === "object" && likely.names.length === attributes.size) {
    const payloads: Payload[] = [];
    for (const name of likely.names) {
      const value = attributes.get(name);
      if (value?.type !== likely.attributes[name]) break;
      payloads.push(value!.payload);
    }
    if (payloads.length === likely.names.length) return valueOf(likely, payloads);
  }
  const types: Record<string, Type> = Object.create(null) as Record<string, Type>;
  for (const [name, value] of attributes) types[name] = value.type;
  const type = object(types);
  return valueOf(
    type,
    type.names.map((name) => attributes.get(name)!.payload),
  );
}

/**
 * Creates a value of the same kind as `like` with other elements. Elements of a list, set or map must have one type; otherwise, `like`
 * itself is returned. (go-cty panics in this case, which only dynamic attributes inside a collection cause.)
 */
export function withElements(like: Value, elements: readonly Part[]): Value {
  const { type } = like;
  const payloads = elements.map((element) => element.value.payload);
  const first = elements[0]?.value.type;
  const commonType = first !== undefined && elements.every((element) => element.value.type === first) ? first : undefined;
  switch (type.kind) {
    case "tuple":
      return valueOf(tuple(...elements.map((element) => element.value.type)), payloads);
    case "object":
      return objectOf(new Map(elements.map((element) => [keyOf(element.step), element.value])));
    case "list":
      return commonType ? valueOf(list(commonType), payloads) : like;
    case "set":
      return commonType ? valueOf(set(commonType), setPayload(commonType, payloads)) : like;
    case "map":
      return commonType ? valueOf(map(commonType), new Map(elements.map((element) => [keyOf(element.step), element.value.payload]))) : like;
    default:
      return like;
  }
}

/** Returns the name or key of a step into an object or a map. */
export function keyOf(step: PathStep): string {
  return step.kind === "attribute" ? step.name : (step.key.payload as string);
}
