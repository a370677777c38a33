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

// Taking values apart and putting them together again, where a schema says what is inside. Values here are not marked.

/** An element or attribute and the step that leads to it. */
export interface Part {
  readonly step: PathStep;
  readonly value: Value;
}

/** Is the value known and not null, so that there may be something inside? */
export function hasParts(value: Value): boolean {
  return value.payload !== null && !isUnknownPayload(value.payload);
}

export function isUnknown(value: Value): boolean {
  return isUnknownPayload(value.payload);
}

/** The attribute of an object value: null where the object is null, unknown where it is unknown. */
export function attributeOf(value: Value, name: string): Value {
  const { type, payload } = value;
  if (type.kind !== "object") return valueOf(dynamic, payload === null ? null : UNKNOWN);
  const attribute = type.attributes[name];
  if (attribute === undefined) throw new TypeError(`a value of its schema's type has an attribute ${JSON.stringify(name)}`);
  if (payload === null) return valueOf(attribute, null);
  if (isUnknownPayload(payload)) return valueOf(attribute, UNKNOWN);
  return valueOf(attribute, (payload as readonly Payload[])[type.slots.get(name)!]!);
}

/** Everything directly inside a value, in its own order; nothing for null, unknown and primitive values. */
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

/** How many parts a known value has. */
export function countOf(value: Value): number {
  const { payload } = value;
  if (Array.isArray(payload)) return payload.length;
  return payload instanceof Map ? payload.size : 0;
}

/**
 * What is one step further: unknown where the value is unknown, nothing where the value is null or has no such part. An
 * attribute step into a map and an index step with a string into an object are understood, as an object stands for a map whose
 * elements have different types.
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

/** What a path leads to; nothing where there is null on the way, or no such part. */
export function valueAt(value: Value, path: Path): Value | undefined {
  let found: Value | undefined = value;
  for (const step of path) {
    if (found === undefined) return undefined;
    found = partAt(found, step);
  }
  return found;
}

/**
 * An object value of the given attributes; its type is theirs.
 *
 * @param likely - Its type, if the attributes are of the types that are in it: that is found out faster than a type is made.
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
 * A value of the same kind as `like` with other elements, which for a list, set or map must agree on a type. Where they do not,
 * `like` itself: go-cty panics there, and the only way to it are dynamic attributes inside a collection.
 */
export function withElements(like: Value, elements: readonly Part[]): Value {
  const { type } = like;
  const payloads = elements.map((element) => element.value.payload);
  const only = elements[0]?.value.type;
  const agreed = only !== undefined && elements.every((element) => element.value.type === only) ? only : undefined;
  switch (type.kind) {
    case "tuple":
      return valueOf(tuple(...elements.map((element) => element.value.type)), payloads);
    case "object":
      return objectOf(new Map(elements.map((element) => [keyOf(element.step), element.value])));
    case "list":
      return agreed ? valueOf(list(agreed), payloads) : like;
    case "set":
      return agreed ? valueOf(set(agreed), setPayload(agreed, payloads)) : like;
    case "map":
      return agreed ? valueOf(map(agreed), new Map(elements.map((element) => [keyOf(element.step), element.value.payload]))) : like;
    default:
      return like;
  }
}

/** The name or key of a step into an object or a map. */
export function keyOf(step: PathStep): string {
  return step.kind === "attribute" ? step.name : (step.key.payload as string);
}
