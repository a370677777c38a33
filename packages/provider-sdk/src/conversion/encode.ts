// SPDX-License-Identifier: Apache-2.0
import { dynamic, isValue, isWhollyKnown, object, type ObjectType, type Value } from "@tenon/cty";
import {
  mapPayload,
  normalizeString,
  numberFromBigint,
  numberFromDouble,
  numberFromText,
  setPayload,
  UNKNOWN,
  valueOf,
  type Payload,
} from "@tenon/cty/unstable/payload";
import { bodyOf, type EntryShape, type ObjectShape, type PrimitiveShape, type Shape } from "../shape/shape.ts";
import { isUnknown } from "@tenon/schema";
import { Trail, type ConversionProblem } from "./problem.ts";
import { isRecord, take } from "./record.ts";

/**
 * Purpose of an encoded value.
 *
 * - `result`: the result of a handler; it must contain every name, and be wholly known.
 * - `draft`: a planned value; it must contain every name, and any value may be unknown.
 * - `partial`: a partial value; missing and unknown values become null.
 */
export type Purpose = "result" | "draft" | "partial";

/** The result of encoding an author's value. */
export interface Encoded {
  /** The value. It has null at the paths of the problems. */
  readonly value: Value;
  readonly problems: readonly ConversionProblem[];
}

/** Encodes an author's value as a cty value. Ignores names that the shape does not have. */
export function encode(shape: Shape, given: unknown, purpose: Purpose): Encoded {
  const trail = new Trail();
  const value = encodePart(shape, given, purpose, shape.nullable || purpose !== "result", trail);
  return { value, problems: trail.problems };
}

/** Encodes an author's value of one attribute. */
export function encodeEntry(entry: EntryShape, given: unknown, purpose: Purpose): Encoded {
  const trail = new Trail();
  trail.enter(entry.step);
  return { value: encodeMember(entry, given, purpose, trail), problems: trail.problems };
}

function encodePart(shape: Shape, given: unknown, purpose: Purpose, nullable: boolean, trail: Trail): Value {
  if (given === null || given === undefined) {
    if (!nullable) trail.add(given === null ? "is null, but must not be" : "is missing");
    return valueOf(shape.type, null);
  }
  if (isUnknown(given)) {
    if (purpose === "result") trail.add("is unknown, but must be known");
    return valueOf(shape.type, purpose === "draft" ? UNKNOWN : null);
  }
  switch (shape.kind) {
    case "object":
      return encodeObject(shape, given, purpose, trail);
    case "list":
    case "set":
      return encodeElements(shape, given, purpose, trail);
    case "map":
      return encodeMap(shape, given, purpose, trail);
    default:
      return encodePrimitive(shape, given, purpose, trail);
  }
}

function wrong(shape: Shape, what: string, trail: Trail): Value {
  trail.add(what);
  return valueOf(shape.type, null);
}

/** Returns the type of an author's value in words, without its content. */
function kindOf(given: unknown): string {
  if (Array.isArray(given)) return "an array";
  if (given instanceof Map || given instanceof Set) return `a ${given instanceof Map ? "Map" : "Set"}`;
  if (typeof given === "object") return "an object";
  return typeof given === "undefined" ? "undefined" : `a ${typeof given}`;
}

function encodeObject(shape: ObjectShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isRecord(given) || given instanceof Map || given instanceof Set) {
    return wrong(shape, `is ${kindOf(given)}, but must be an object of attributes`, trail);
  }
  const parts = shape.entries.map((entry) => {
    trail.enter(entry.step);
    const part = encodeMember(entry, take(given, entry.name), purpose, trail);
    trail.leave();
    return part;
  });
  return objectValue(shape, parts);
}

function encodeMember(entry: EntryShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  // Never record write-only values: a handler may return its whole configuration.
  if (entry.writeOnly) return valueOf(entry.shape.type, null);
  if (given === undefined && purpose !== "partial") {
    trail.add("is missing: the result must contain every attribute, with null for those without a value");
    return valueOf(entry.shape.type, null);
  }
  const part = encodePart(entry.shape, given, purpose, entry.stateNullable || purpose !== "result", trail);
  return entry.kind === "block" && part.payload === null ? emptyEntry(entry) : part;
}

/** Returns the value of an absent entry: null for attributes and single blocks, and empty for other blocks. */
export function emptyEntry(entry: EntryShape): Value {
  const { type } = entry.shape;
  if (entry.kind !== "block" || entry.nesting === "single") return valueOf(type, null);
  if (entry.nesting === "map") return valueOf(type, new Map());
  return entry.nesting === "group" ? objectValue(bodyOf(entry), bodyOf(entry).entries.map(emptyEntry)) : valueOf(type, []);
}

/** Returns an object from the values of its entries, in their order. If the shape has dynamic parts, its type follows from the values. */
export function objectValue(shape: ObjectShape, parts: readonly Value[]): Value {
  const type = shape.hasDynamic
    ? (object(Object.fromEntries(shape.entries.map(({ name, slot }) => [name, parts[slot]!.type]))) as ObjectType)
    : shape.type;
  return valueOf(
    type,
    parts.map((part) => part.payload),
  );
}

function encodeElements(shape: Shape & { kind: "list" | "set" | "map" }, given: unknown, purpose: Purpose, trail: Trail): Value {
  const isIterable = Array.isArray(given) || (shape.kind === "set" && given instanceof Set);
  if (!isIterable) return wrong(shape, `is ${kindOf(given)}, but must be an array`, trail);
  const elements = [...(given as Iterable<unknown>)].map((element, index) => {
    trail.enter(index);
    const { payload } = encodePart(shape.element, element, purpose, shape.element.nullable || purpose === "partial", trail);
    trail.leave();
    return payload;
  });
  return valueOf(shape.type, shape.kind === "set" ? setPayload(shape.element.type, elements) : elements);
}

function encodeMap(shape: Shape & { kind: "list" | "set" | "map" }, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isRecord(given)) return wrong(shape, `is ${kindOf(given)}, but must be an object of keys and values`, trail);
  const entries = given instanceof Map ? [...given] : Object.entries(given);
  const elements = entries.map(([key, element]: readonly [unknown, unknown]): readonly [string, Payload] => {
    const name = normalizeString(String(key));
    trail.enter(name);
    const { payload } = encodePart(shape.element, element, purpose, shape.element.nullable || purpose === "partial", trail);
    trail.leave();
    return [name, payload];
  });
  return valueOf(shape.type, mapPayload(elements));
}

function encodePrimitive(shape: PrimitiveShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  const wanted = (what: string): Value => wrong(shape, `is ${kindOf(given)}, but must be ${what}`, trail);
  switch (shape.kind) {
    case "string":
      return typeof given === "string" ? valueOf(shape.type, normalizeString(given)) : wanted("a string");
    case "bool":
      return typeof given === "boolean" ? valueOf(shape.type, given) : wanted("true or false");
    case "number":
      if (typeof given !== "number") return wanted("a number");
      if (!Number.isFinite(given)) return wrong(shape, `is ${given}, but must be a number`, trail);
      // Adding 0 turns -0 into 0: a configuration has no -0.
      return valueOf(shape.type, Number.isSafeInteger(given) ? given + 0 : (numberFromDouble(given) ?? null));
    case "bigint":
      if (typeof given === "number" && Number.isSafeInteger(given)) return valueOf(shape.type, given === 0 ? 0 : given);
      return typeof given === "bigint" ? valueOf(shape.type, numberFromBigint(given)) : wanted("a bigint");
    case "decimal": {
      if (typeof given !== "string") return wanted("a number as decimal text");
      const parsed = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? numberFromText(given) : undefined;
      return parsed === undefined ? wrong(shape, "is not a number as decimal text", trail) : valueOf(shape.type, parsed);
    }
    default:
      return encodeDynamic(shape, given, purpose, trail);
  }
}

function encodeDynamic(shape: PrimitiveShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isValue(given)) return wrong(shape, `is ${kindOf(given)}, but must be a cty value`, trail);
  if (purpose === "draft" || isWhollyKnown(given)) return given;
  if (purpose === "partial") return valueOf(dynamic, null);
  return wrong(shape, "is not wholly known, but must be", trail);
}
