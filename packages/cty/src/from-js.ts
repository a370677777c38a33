// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "./ctystrings/normalize.ts";
import { CtyError } from "./error.ts";
import { goQuote } from "./go-quote.ts";
import { mapPayload } from "./map-payload.ts";
import { numberFromBigint, numberFromJs } from "./number/number.ts";
import { indexStep } from "./path.ts";
import type { Path } from "./path-step.ts";
import { CapsulePayload, isUnknownPayload, unmarkedPayload, type Payload } from "./payload.ts";
import { bool, dynamic, hasDynamic, number, string, withoutOptionalAttributes, type ObjectType, type Type } from "./type.ts";
import { testConformance } from "./type-conform.ts";
import { friendlyName } from "./type-names.ts";
import { listOf, mapOf, markedSetPayload, objectOf, setOf, tupleOf } from "./value-init.ts";
import type { Input } from "./infer.ts";
import { isValue, valueOf, type Value } from "./value.ts";

/**
 * A value of the type, from JavaScript data: strings, booleans, numbers, bigints, arrays, Sets, records, Maps and null;
 * values, also unknown and marked ones, may stand anywhere in it.
 *
 * - A number that is a safe integer becomes an integer, another one a double; a bigint is exact.
 * - An attribute that is absent or `undefined` is null if the object type has it as optional, and refused otherwise.
 * - A list or tuple is an array, a set an array or Set, a map or object a record or Map.
 * - Where the type is dynamic the value's own type follows from the data: an array is a tuple, a record an object, a Set a
 *   set and a Map a map. The result's `type` is then the concrete type.
 * - Dates, functions, class instances, symbols and NaN are refused.
 *
 * @throws CtyError `INVALID_VALUE` with the path of what does not fit and the reason.
 *
 * @example
 * toJs(of(list(number), [1, 2n, 0.5]))
 * // => [1, 2, 0.5]
 */
export function of<T extends Type>(type: T, data: Input<T>): Value<T> {
  return build(type, data, []) as Value<T>;
}

function invalid(message: string, path: Path): CtyError {
  return new CtyError("INVALID_VALUE", message, path);
}

function build(type: Type, data: unknown, path: Path): Value {
  return hasDynamic(type) ? valueFrom(type, data, path) : valueOf(withoutOptionalAttributes(type), payloadFrom(type, data, path));
}

/** For types without dynamic parts: the result's type is known, only its payload is built. */
function payloadFrom(type: Type, data: unknown, path: Path): Payload {
  if (data === null) return null;
  if (isValue(data)) return payloadOfValue(type, data, path);
  switch (type.kind) {
    case "string":
      if (typeof data === "string") return normalizeString(data);
      throw invalid(`a string is required, not ${describe(data)}`, path);
    case "bool":
      if (typeof data === "boolean") return data;
      throw invalid(`a bool is required, not ${describe(data)}`, path);
    case "number":
      return numberPayload(data, path);
    case "list":
      return arrayOf(type, data, path).map((element, index) => payloadFrom(type.element, element, [...path, indexStep(index)]));
    case "set": {
      const elements = arrayOf(type, data, path);
      return markedSetPayload(
        type.element,
        elements.map((element, index) => payloadFrom(type.element, element, [...path, indexStep(index)])),
      );
    }
    case "map":
      return mapPayload(
        entriesOf(type, data, path).map(([key, element]) => [key, payloadFrom(type.element, element, [...path, indexStep(key)])]),
      );
    case "tuple":
      return tupleElements(type.elements, data, path).map((element, index) =>
        payloadFrom(type.elements[index]!, element, [...path, indexStep(index)]),
      );
    case "object": {
      const given = attributesOf(type, data, path);
      return type.names.map((name) => payloadFrom(type.attributes[name]!, given.get(name) ?? null, [...path, { kind: "attribute", name }]));
    }
    case "capsule":
      return new CapsulePayload(data);
    default:
      throw invalid("a type is required", path);
  }
}

/** For types with dynamic parts: the result's type follows from the data. */
function valueFrom(type: Type, data: unknown, path: Path): Value {
  if (isValue(data)) return conformingValue(type, data, path);
  if (data === null) return valueOf(withoutOptionalAttributes(type), null);
  switch (type.kind) {
    case "dynamic":
      return impliedValue(data, path);
    case "list":
    case "set": {
      const elements = arrayOf(type, data, path).map((element, index) => build(type.element, element, [...path, indexStep(index)]));
      if (elements.length === 0) return valueOf(withoutOptionalAttributes(type), []);
      return collected(() => (type.kind === "list" ? listOf(elements) : setOf(elements)), path);
    }
    case "map": {
      const entries = entriesOf(type, data, path).map(
        ([key, element]) => [key, build(type.element, element, [...path, indexStep(key)])] as const,
      );
      if (entries.length === 0) return valueOf(withoutOptionalAttributes(type), new Map());
      return collected(() => mapOf(new Map(entries)), path);
    }
    case "tuple":
      return tupleOf(
        tupleElements(type.elements, data, path).map((element, index) =>
          build(type.elements[index]!, element, [...path, indexStep(index)]),
        ),
      );
    case "object": {
      const given = attributesOf(type, data, path);
      return objectOf(
        new Map(
          type.names.map((name) => [name, build(type.attributes[name]!, given.get(name) ?? null, [...path, { kind: "attribute", name }])]),
        ),
      );
    }
    default:
      return valueOf(type, payloadFrom(type, data, path));
  }
}

/** Elements whose types differ are an error of the data, with the place of the collection. */
function collected(collect: () => Value, path: Path): Value {
  try {
    return collect();
  } catch (error) {
    throw error instanceof CtyError ? new CtyError("INVALID_VALUE", error.message, path, { cause: error }) : error;
  }
}

function impliedValue(data: unknown, path: Path): Value {
  if (typeof data === "string") return valueOf(string, normalizeString(data));
  if (typeof data === "boolean") return valueOf(bool, data);
  if (typeof data === "number" || typeof data === "bigint" || isBigFloat(data)) return valueOf(number, numberPayload(data, path));
  if (Array.isArray(data)) return tupleOf(data.map((element, index) => build(dynamic, element, [...path, indexStep(index)])));
  if (data instanceof Set) {
    const elements = [...data].map((element, index) => build(dynamic, element, [...path, indexStep(index)]));
    return collected(() => setOf(elements), path);
  }
  const entries = entriesOf(dynamic, data, path);
  if (data instanceof Map)
    return collected(
      () => mapOf(new Map(entries.map(([key, element]) => [key, build(dynamic, element, [...path, indexStep(key)])]))),
      path,
    );
  return objectOf(new Map(entries.map(([name, element]) => [name, build(dynamic, element, [...path, { kind: "attribute", name }])])));
}

function payloadOfValue(type: Type, value: Value, path: Path): Payload {
  return conformingValue(type, value, path).payload;
}

function conformingValue(type: Type, value: Value, path: Path): Value {
  const concrete = withoutOptionalAttributes(type);
  if (value.type === concrete) return value;
  const payload = unmarkedPayload(value.payload);
  if (value.type.kind === "dynamic" && (payload === null || isUnknownPayload(payload))) return valueOf(concrete, value.payload);
  const [first] = testConformance(value.type, concrete);
  if (first !== undefined) throw invalid(first.message, [...path, ...first.path]);
  return value;
}

function isBigFloat(data: unknown): boolean {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === "number" && "binary" in data;
}

function numberPayload(data: unknown, path: Path): Payload {
  if (typeof data === "bigint") return numberFromBigint(data);
  if (isBigFloat(data)) return data as Payload;
  if (typeof data !== "number") throw invalid(`a number is required, not ${describe(data)}`, path);
  const result = numberFromJs(data);
  if (result === undefined) throw invalid("a number is required, not NaN", path);
  return result;
}

function arrayOf(type: Type, data: unknown, path: Path): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (type.kind === "set" && data instanceof Set) return [...data];
  throw invalid(`a ${friendlyName(type)} is required, not ${describe(data)}`, path);
}

function tupleElements(elements: readonly Type[], data: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(data)) throw invalid(`a tuple is required, not ${describe(data)}`, path);
  if (data.length === elements.length) return data;
  throw invalid(`${elements.length} elements are required, but got ${data.length}`, path);
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  if (typeof data !== "object" || data === null) return false;
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The entries of a record or Map, keys normalised; entries that are `undefined` are left out. */
function entriesOf(type: Type, data: unknown, path: Path): [string, unknown][] {
  const entries = data instanceof Map ? [...data] : isRecord(data) && !Array.isArray(data) ? Object.entries(data) : undefined;
  if (entries === undefined) {
    const wanted = type.kind === "dynamic" ? "data a value can be made of" : `a ${friendlyName(type)}`.replace("a object", "an object");
    throw invalid(`${wanted} is required, not ${describe(data)}`, path);
  }
  const result = new Map<string, unknown>();
  for (const [key, value] of entries) {
    if (typeof key !== "string") throw invalid(`keys must be strings, not ${describe(key)}`, path);
    const normal = normalizeString(key);
    if (value === undefined) continue;
    if (result.has(normal)) throw invalid(`duplicate key ${goQuote(normal)}`, path);
    result.set(normal, value);
  }
  return [...result];
}

function attributesOf(type: ObjectType, data: unknown, path: Path): ReadonlyMap<string, unknown> {
  const given = new Map(entriesOf(type, data, path));
  for (const name of given.keys()) if (!type.slots.has(name)) throw invalid(`unsupported attribute ${goQuote(name)}`, path);
  for (const name of type.names) {
    if (given.has(name) || type.optionalNames.includes(name)) continue;
    throw invalid(`missing required attribute ${goQuote(name)}: give it a value, or null`, path);
  }
  return given;
}

function describe(data: unknown): string {
  if (data === undefined) return "undefined";
  if (data === null) return "null";
  if (Array.isArray(data)) return "an array";
  if (typeof data !== "object") return `a ${typeof data}`;
  const name: unknown = data.constructor?.name;
  return typeof name === "string" && name !== "Object" ? `an instance of ${name}` : "a record";
}
