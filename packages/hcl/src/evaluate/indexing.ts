// SPDX-License-Identifier: Apache-2.0
import {
  CtyError,
  friendlyName,
  get,
  isKnown,
  isMarked,
  isNull,
  marks,
  number,
  string,
  unknown,
  unmark,
  withMarks,
  type Type,
  type Value,
} from "@tenon/cty";
import { hasIndex, index, length } from "@tenon/cty/operators";
import { convert } from "@tenon/cty/convert";
import {
  compareNumbers,
  goQuote as quote,
  normalizeString,
  numberSign,
  numberToBigint,
  valueOf,
  type NumberPayload,
} from "@tenon/cty/unstable/payload";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { unknownOfAnyType } from "./evaluator.ts";

/** Result of an operation: a value or an error. */
export type Outcome = Value | Diagnostic;

/** Whether an outcome is an error. */
export function isDiagnostic(outcome: Outcome): outcome is Diagnostic {
  return "severity" in outcome;
}

const invalidKey = "The given key does not identify an element in this collection value";

/**
 * Evaluates `collection[key]`, including null, unknown and marked values.
 *
 * @see hcl.Index
 */
export function indexOutcome(collection: Value, key: Value, subject: SourceRange): Outcome {
  if (isNull(collection)) return errorAt("Attempt to index null value", "This value is null, so it does not have any indices.", subject);
  const invalid = (detail: string): Diagnostic => errorAt("Invalid index", detail, subject);
  if (isNull(key)) return invalid("Can't use a null value as an indexing key.");
  const { type } = collection;
  if (key.type.kind === "dynamic" || type.kind === "dynamic") return likeMarked(unknownOfAnyType, collection);
  switch (type.kind) {
    case "list":
    case "tuple":
    case "map":
      return elementOutcome(collection, key, invalid);
    case "object":
      return attributeByKey(collection, key, invalid);
    case "set":
      return invalid(
        "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.",
      );
    default:
      return invalid("This value does not have any indices.");
  }
}

function likeMarked(value: Value, other: Value): Value {
  return withMarks(value, marks(other));
}

function converted(value: Value, type: Type): Value | CtyError {
  if (value.type === type) return value;
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) return error;
    throw error;
  }
}

type Invalid = (detail: string) => Diagnostic;

function elementOutcome(collection: Value, key: Value, invalid: Invalid): Outcome {
  const { type } = collection;
  const wanted = converted(key, type.kind === "map" ? string : number);
  if (wanted instanceof CtyError) return invalid(`${invalidKey}: ${wanted.message}.`);
  const [has] = unmark(hasIndex(collection, wanted));
  if (!isKnown(has))
    return type.kind === "tuple" ? likeMarked(unknownOfAnyType, collection) : likeMarked(unknown(elementType(type)), collection);
  if (has.payload === true) return index(collection, wanted);
  return invalid(type.kind === "map" ? `${invalidKey}.` : whyNoPosition(collection, wanted));
}

function elementType(type: Type): Type {
  return (type as { readonly element: Type }).element;
}

/** Explains why a key is not a valid position, without the key itself, which may be secret. */
function whyNoPosition(collection: Value, key: Value): string {
  const position = unmark(key)[0].payload as NumberPayload;
  if (!isWhole(position)) {
    return `${invalidKey}: indexing a sequence requires a whole number, but the given index has a fractional part.`;
  }
  if (numberSign(position) < 0) return `${invalidKey}: a negative number is not a valid index for a sequence.`;
  const size = length(collection);
  if (isKnown(size) && !isMarked(size) && compareNumbers(position, size.payload as NumberPayload) <= 0) {
    return numberSign(size.payload as NumberPayload) === 0
      ? `${invalidKey}: the collection has no elements.`
      : `${invalidKey}: the given index is greater than or equal to the length of the collection.`;
  }
  return `${invalidKey}.`;
}

function isWhole(payload: NumberPayload): boolean {
  return typeof payload === "number" ? Number.isInteger(payload) : numberToBigint(payload) !== undefined;
}

function attributeByKey(object: Value, key: Value, invalid: Invalid): Outcome {
  const wanted = converted(key, string);
  if (wanted instanceof CtyError) return invalid(`${invalidKey}: ${wanted.message}.`);
  if (!isKnown(wanted)) return likeMarked(unknownOfAnyType, object);
  const name = unmark(wanted)[0].payload as string;
  const { type } = object;
  if (type.kind !== "object" || !type.slots.has(normalizeString(name))) {
    const hint = key.type.kind === "number" ? " An object only supports looking up attributes by name, not by numeric index." : "";
    return invalid(`${invalidKey}.${hint}`);
  }
  return get(object, name);
}

/**
 * Evaluates `object.name`, including null, unknown and marked values.
 *
 * @see hcl.GetAttr
 */
export function attributeOutcome(object: Value, name: string, subject: SourceRange): Outcome {
  const { type } = object;
  if (isNull(object)) {
    return errorAt("Attempt to get attribute from null value", "This value is null, so it does not have any attributes.", subject);
  }
  const unsupported = (detail: string): Diagnostic => errorAt("Unsupported attribute", detail, subject);
  switch (type.kind) {
    case "object":
      return type.slots.has(normalizeString(name))
        ? get(object, name)
        : unsupported(`This object does not have an attribute named ${quote(name)}.`);
    case "map":
      return mapElement(object, name, subject);
    case "dynamic":
      return likeMarked(unknownOfAnyType, object);
    case "list":
    case "set":
      if (type.element.kind !== "object") return unsupported("This value does not have any attributes.");
      if (type.kind === "set") {
        return unsupported(
          "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements of the set?",
        );
      }
      return unsupported(
        type.element.slots.has(normalizeString(name))
          ? `Can't access attributes on a list of objects. Did you mean to access attribute ${quote(name)} for a specific element of the list, or across all elements of the list?`
          : "Can't access attributes on a list of objects. Did you mean to access an attribute for a specific element of the list, or across all elements of the list?",
      );
    case "string":
    case "number":
    case "bool":
      return unsupported(`Can't access attributes on a primitive-typed value (${friendlyName(type)}).`);
    default:
      return unsupported("This value does not have any attributes.");
  }
}

function mapElement(map: Value, name: string, subject: SourceRange): Outcome {
  if (!isKnown(map)) return likeMarked(unknown(elementType(map.type)), map);
  const key = valueOf(string, normalizeString(name));
  if (unmark(hasIndex(map, key))[0].payload === false) {
    return errorAt("Missing map element", `This map does not have an element with the key ${quote(name)}.`, subject);
  }
  return index(map, key);
}
