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
import { bodyOf, type EntryShape, type ObjectShape, type PrimitiveShape, type Shape } from "../schema/shape.ts";
import { isUnknown } from "../unknown.ts";
import { Trail, type Problem } from "./problem.ts";
import { isRecord, take } from "./record.ts";

/**
 * - `answer`: what a handler made; every name is there, nothing is unknown.
 * - `draft`: what a plan expects; every name is there, anything may be unknown.
 * - `partial`: what can be kept of something half made; what is missing or unknown is null.
 */
export type Purpose = "answer" | "draft" | "partial";

export interface Encoded {
  /** Where there are problems, null stands at their places. */
  readonly value: Value;
  readonly problems: readonly Problem[];
}

/** The cty value of what an author gave for a shape, and what is wrong with it. Names the shape does not have are dropped. */
export function encode(shape: Shape, given: unknown, purpose: Purpose): Encoded {
  const trail = new Trail();
  const value = encodePart(shape, given, purpose, shape.nullable || purpose !== "answer", trail);
  return { value, problems: trail.problems };
}

/** The same for the value of one attribute. */
export function encodeEntry(entry: EntryShape, given: unknown, purpose: Purpose): Encoded {
  const trail = new Trail();
  trail.enter(entry.step);
  return { value: encodeMember(entry, given, purpose, trail), problems: trail.problems };
}

function encodePart(shape: Shape, given: unknown, purpose: Purpose, nullable: boolean, trail: Trail): Value {
  if (given === null || given === undefined) {
    if (!nullable) trail.add(given === null ? "is null, and must not be" : "is missing");
    return valueOf(shape.type, null);
  }
  if (isUnknown(given)) {
    if (purpose === "answer") trail.add("is unknown, and has to be known by now");
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

/** What something is, in words, without saying what it holds. */
function kindOf(given: unknown): string {
  if (Array.isArray(given)) return "an array";
  if (typeof given === "object") return "an object";
  return typeof given === "undefined" ? "undefined" : `a ${typeof given}`;
}

function encodeObject(shape: ObjectShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isRecord(given)) return wrong(shape, `is ${kindOf(given)}, and must be an object`, trail);
  const parts = shape.entries.map((entry) => {
    trail.enter(entry.step);
    const part = encodeMember(entry, take(given, entry.name), purpose, trail);
    trail.leave();
    return part;
  });
  return objectValue(shape, parts);
}

function encodeMember(entry: EntryShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (entry.writeOnly) {
    if (given !== null && given !== undefined) trail.add("is write-only: it is not part of the state, so leave it out or say null");
    return valueOf(entry.shape.type, null);
  }
  if (given === undefined && purpose !== "partial") {
    trail.add("is missing: an answer names every attribute, with null where there is nothing");
    return valueOf(entry.shape.type, null);
  }
  const part = encodePart(entry.shape, given, purpose, entry.stateNullable || purpose !== "answer", trail);
  return entry.kind === "block" && part.payload === null ? emptyEntry(entry) : part;
}

/** What stands for an entry of which there is nothing: null, but for blocks, which are empty rather than null. */
export function emptyEntry(entry: EntryShape): Value {
  const { type } = entry.shape;
  if (entry.kind !== "block" || entry.nesting === "single") return valueOf(type, null);
  if (entry.nesting === "map") return valueOf(type, new Map());
  return entry.nesting === "group" ? objectValue(bodyOf(entry), bodyOf(entry).entries.map(emptyEntry)) : valueOf(type, []);
}

/** An object of a shape from the values of its entries, in their order. Its type is theirs where something is dynamic. */
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
  if (!isIterable) return wrong(shape, `is ${kindOf(given)}, and must be an array`, trail);
  const elements = [...(given as Iterable<unknown>)].map((element, index) => {
    trail.enter(index);
    const { payload } = encodePart(shape.element, element, purpose, shape.element.nullable || purpose === "partial", trail);
    trail.leave();
    return payload;
  });
  return valueOf(shape.type, shape.kind === "set" ? setPayload(shape.element.type, elements) : elements);
}

function encodeMap(shape: Shape & { kind: "list" | "set" | "map" }, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isRecord(given)) return wrong(shape, `is ${kindOf(given)}, and must be an object of names and values`, trail);
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
  const wanted = (what: string): Value => wrong(shape, `is ${kindOf(given)}, and must be ${what}`, trail);
  switch (shape.kind) {
    case "string":
      return typeof given === "string" ? valueOf(shape.type, normalizeString(given)) : wanted("a string");
    case "bool":
      return typeof given === "boolean" ? valueOf(shape.type, given) : wanted("true or false");
    case "number":
      if (typeof given !== "number") return wanted("a number");
      if (!Number.isFinite(given)) return wrong(shape, `is ${given}, and must be a number`, trail);
      // A configuration has no -0, and what is written as 0 must come back as 0.
      return valueOf(shape.type, Number.isSafeInteger(given) ? given + 0 : (numberFromDouble(given) ?? null));
    case "bigint":
      if (typeof given === "number" && Number.isSafeInteger(given)) return valueOf(shape.type, given === 0 ? 0 : given);
      return typeof given === "bigint" ? valueOf(shape.type, numberFromBigint(given)) : wanted("a bigint");
    case "decimal": {
      if (typeof given !== "string") return wanted("a number as decimal text");
      const parsed = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? numberFromText(given) : undefined;
      return parsed === undefined ? wrong(shape, "is text that is no number", trail) : valueOf(shape.type, parsed);
    }
    default:
      return encodeDynamic(shape, given, purpose, trail);
  }
}

function encodeDynamic(shape: PrimitiveShape, given: unknown, purpose: Purpose, trail: Trail): Value {
  if (!isValue(given)) return wrong(shape, `is ${kindOf(given)}, and must be a cty value`, trail);
  if (purpose === "draft" || isWhollyKnown(given)) return given;
  if (purpose === "partial") return valueOf(dynamic, null);
  return wrong(shape, "is not wholly known, and has to be by now", trail);
}
