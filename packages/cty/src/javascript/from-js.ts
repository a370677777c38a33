// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { CtyError } from "../error/error.ts";
import { goQuote } from "../text/go-quote.ts";
import { mapPayload } from "../payload/map-payload.ts";
import { numberFromBigint, numberFromJs } from "../number/number.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import type { Path } from "../model/path.ts";
import { CapsulePayload, isUnknownPayload, unmarkedPayload, type Payload } from "../payload/payload.ts";
import { bool, dynamic, hasDynamic, number, partType, string, withoutOptionalAttributes } from "../type/type.ts";
import type { ObjectType, Type } from "../model/type.ts";
import { testConformance } from "../value/type-conform.ts";
import { friendlyName } from "../type/type-names.ts";
import { composed, markedSetPayload } from "../construction/value-init.ts";
import type { Input } from "./infer.ts";
import { isValue, valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/**
 * Returns a value of the type from JavaScript data: strings, booleans, numbers, bigints, arrays, Sets, records, Maps and null. The data
 * may contain values, including unknown and marked ones.
 *
 * - A safe integer becomes an integer, another number a double. A bigint is exact.
 * - An attribute that is absent or `undefined` becomes null if it is optional, and is an error otherwise.
 * - A list or tuple takes an array, a set takes an array or Set, and a map or object takes a record or Map.
 * - Where the type is dynamic, the data determines the type: an array becomes a tuple, a record an object, a Set a set, and a Map a
 *   map. The `type` of the result is the concrete type.
 * - Dates, functions, class instances, symbols and NaN are errors.
 *
 * @throws CtyError `INVALID_VALUE` with the path of the invalid data.
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

/** Returns the payload for a type without dynamic parts. */
function payloadFrom(type: Type, data: unknown, path: Path): Payload {
  if (data === null) return null;
  if (isValue(data)) return conformingValue(type, data, path).payload;
  switch (type.kind) {
    case "string":
      if (typeof data === "string") return normalizeString(data);
      throw mismatch(type, data, path);
    case "bool":
      if (typeof data === "boolean") return data;
      throw mismatch(type, data, path);
    case "number":
      return numberPayload(data, path);
    case "capsule":
      return new CapsulePayload(data);
    default: {
      const parts = partsOf(type, data, path);
      const payloads = parts.map((part) => payloadFrom(part.type, part.data, pathTo(type.kind, part, path)));
      if (type.kind === "map") return mapPayload(parts.map(({ key }, index) => [key as string, payloads[index]!]));
      return type.kind === "set" ? markedSetPayload(type.element, payloads) : payloads;
    }
  }
}

/** Returns the value for a type with dynamic parts. The data determines its type. */
function valueFrom(type: Type, data: unknown, path: Path): Value {
  if (isValue(data)) return conformingValue(type, data, path);
  if (data === null) return valueOf(withoutOptionalAttributes(type), null);
  if (type === dynamic) return impliedValue(data, path);
  const parts = partsOf(type, data, path);
  if (parts.length > 0) return assembled(type.kind, parts, path);
  return valueOf(withoutOptionalAttributes(type), type.kind === "map" ? new Map() : []);
}

function impliedValue(data: unknown, path: Path): Value {
  if (typeof data === "string") return valueOf(string, normalizeString(data));
  if (typeof data === "boolean") return valueOf(bool, data);
  if (typeof data === "number" || typeof data === "bigint" || isBigFloat(data)) return valueOf(number, numberPayload(data, path));
  const isSet = data instanceof Set;
  if (isSet || Array.isArray(data)) return assembled(isSet ? "set" : "tuple", partsFrom(dynamic, [...data].entries()), path);
  return assembled(data instanceof Map ? "map" : "object", partsFrom(dynamic, entriesOf(dynamic, data, path)), path);
}

/** A part of compound data, with its key and type. */
interface Part {
  readonly key: number | string;
  readonly type: Type;
  readonly data: unknown;
}

function partsFrom(type: Type, entries: Iterable<readonly [number | string, unknown]>): Part[] {
  return Array.from(entries, ([key, data], position) => ({ key, type: partType(type, position), data }));
}

function partsOf(type: Type, data: unknown, path: Path): Part[] {
  if (type.kind === "map") return partsFrom(type, entriesOf(type, data, path));
  if (type.kind === "object") {
    const given = attributesOf(type, data, path);
    return partsFrom(
      type,
      type.names.map((name) => [name, given.get(name) ?? null]),
    );
  }
  const elements = type.kind === "set" && data instanceof Set ? [...data] : data;
  if (!Array.isArray(elements)) throw mismatch(type, data, path);
  const wanted = type.kind === "tuple" ? type.elements.length : elements.length;
  if (elements.length !== wanted) throw invalid(`${wanted} elements are required, but got ${elements.length}`, path);
  return partsFrom(type, elements.entries());
}

function pathTo(kind: Type["kind"], { key }: Part, path: Path): Path {
  return [...path, kind === "object" ? attributeStep(String(key)) : indexStep(key)];
}

/** Composes a value of its parts. Elements of different types are an error at the path of the collection. */
function assembled(kind: Type["kind"], parts: readonly Part[], path: Path): Value {
  const values = parts.map((part) => build(part.type, part.data, pathTo(kind, part, path)));
  try {
    return composed(
      kind,
      values,
      parts.map(({ key }) => String(key)),
    );
  } catch (error) {
    throw error instanceof CtyError ? new CtyError("INVALID_VALUE", error.message, path, { cause: error }) : error;
  }
}

function conformingValue(type: Type, value: Value, path: Path): Value {
  const concrete = withoutOptionalAttributes(type);
  if (value.type === concrete) return value;
  if (withoutOptionalAttributes(value.type) === concrete) return valueOf(concrete, value.payload);
  const payload = unmarkedPayload(value.payload);
  if (value.type === dynamic && (payload === null || isUnknownPayload(payload))) return valueOf(concrete, value.payload);
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
  if (typeof data !== "number") throw mismatch(number, data, path);
  const result = numberFromJs(data);
  if (result === undefined) throw invalid("a number is required, not NaN", path);
  return result;
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  if (typeof data !== "object" || data === null) return false;
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the entries of a record or Map with normalised keys. Entries that are `undefined` are omitted. */
function entriesOf(type: Type, data: unknown, path: Path): [string, unknown][] {
  const entries = data instanceof Map ? [...data] : isRecord(data) && !Array.isArray(data) ? Object.entries(data) : undefined;
  if (entries === undefined) throw mismatch(type, data, path);
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

function mismatch(type: Type, data: unknown, path: Path): CtyError {
  const name = friendlyName(type);
  const wanted = type === dynamic ? "a value" : `${type.kind === "object" ? "an" : "a"} ${name}`;
  return invalid(`${wanted} is required, not ${describe(data)}`, path);
}

function describe(data: unknown): string {
  if (data === undefined) return "undefined, use null";
  if (data === null) return "null";
  if (Array.isArray(data)) return "an array";
  if (typeof data !== "object") return `a ${typeof data}`;
  if (data instanceof Date) return "a Date: use toISOString()";
  const name: unknown = data.constructor?.name;
  return typeof name === "string" && name !== "Object" ? `an instance of ${name}` : "a record";
}
