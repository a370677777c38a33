// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "../value/children.ts";
import { numbersEqual } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import {
  isCapsulePayload,
  isMarkedPayload,
  isNumberPayload,
  isUnknownPayload,
  sameMarks,
  unmarkedPayload,
  type CapsulePayload,
  type NumberBound,
  type Payload,
  type Refinement,
  type UnknownPayload,
} from "../payload/payload.ts";
import { hashText } from "./set-hash.ts";
import { hasDynamic, partType, string } from "../type/type.ts";
import type { CapsuleType, Type } from "../model/type.ts";
import { testConformance } from "../value/type-conform.ts";
import { rangeExcludes } from "../refinement/value-range.ts";

/**
 * Whether two payloads of one type are exactly the same, including marks and refinements: go-cty's RawEquals. Shared structure is not
 * compared again.
 */
export function payloadsSame(type: Type, a: Payload, b: Payload): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameElements(type, a as readonly Payload[], b as readonly Payload[]);
  if (a instanceof Map) return b instanceof Map && sameMaps(type, a, b);
  if (isNumberPayload(a)) return isNumberPayload(b) && numbersEqual(a, b);
  if (isMarkedPayload(a)) return isMarkedPayload(b) && sameMarks(a.marks, b.marks) && payloadsSame(type, a.payload, b.payload);
  if (isUnknownPayload(a)) return isUnknownPayload(b) && sameRefinement(a.refinement, b.refinement);
  return isCapsulePayload(a) && isCapsulePayload(b) && sameNatives(type as CapsuleType, a, b);
}

function sameElements(type: Type, a: readonly Payload[], b: readonly Payload[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!payloadsSame(partType(type, index), a[index]!, b[index]!)) return false;
  return true;
}

function sameMaps(type: Type, a: ReadonlyMap<string, Payload>, b: ReadonlyMap<string, Payload>): boolean {
  if (a.size !== b.size) return false;
  const elementType = partType(type, 0);
  for (const [key, element] of a) {
    const other = b.get(key);
    if (other === undefined || !payloadsSame(elementType, element, other)) return false;
  }
  return true;
}

function sameNatives(type: CapsuleType, a: CapsulePayload, b: CapsulePayload): boolean {
  return type.ops.rawEquals?.(a.native, b.native) ?? Object.is(a.native, b.native);
}

function sameRefinement(a: Refinement | undefined, b: Refinement | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const fields = ["notNull", "prefix", "lengthMin", "lengthMax"] as const;
  return fields.every((field) => a[field] === b[field]) && sameBound(a.min, b.min) && sameBound(a.max, b.max);
}

function sameBound(a: NumberBound | undefined, b: NumberBound | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.inclusive === b.inclusive && numbersEqual(a.value, b.value));
}

/** Whether two payloads of one type are equal; undefined if that is unknown. Marks are ignored. @see go-cty Value.Equals */
export function payloadsEqual(type: Type, a: Payload, b: Payload): boolean | undefined {
  return typedPayloadsEqual(type, a, type, b);
}

/** Like {@link payloadsEqual}, for payloads of types that may differ. */
export function typedPayloadsEqual(leftType: Type, left: Payload, rightType: Type, right: Payload): boolean | undefined {
  const a = unmarkedPayload(left);
  const b = unmarkedPayload(right);
  if (typeof a === "string" && typeof b === "string") return a === b;
  if (isUnknownPayload(a)) return isUnknownPayload(b) ? undefined : equalsUnknown(leftType, a, rightType, b);
  if (isUnknownPayload(b)) return equalsUnknown(rightType, b, leftType, a);
  if (a === null || b === null) return a === b;
  if (!hasWhollyKnownType(leftType, a) || !hasWhollyKnownType(rightType, b)) {
    const apart = testConformance(leftType, rightType).length > 0 && testConformance(rightType, leftType).length > 0;
    return apart ? false : undefined;
  }
  return leftType === rightType && knownPayloadsEqual(leftType, a, b);
}

/** Compares an unknown payload with a known one: false if the range of the unknown payload excludes the known one. */
function equalsUnknown(unknownType: Type, { refinement }: UnknownPayload, knownType: Type, known: Payload): false | undefined {
  if (known === null) return refinement?.notNull ? false : undefined;
  if (rangeExcludes(unknownType, refinement, knownType, known)) return false;
  return hasDynamic(unknownType) || knownType === unknownType ? undefined : false;
}

/** Whether the payload contains no unknown value of dynamic type. A null has a type, even if that is dynamic. */
function hasWhollyKnownType(type: Type, payload: Payload): boolean {
  if (!hasDynamic(type) || payload === null) return true;
  if (isMarkedPayload(payload)) return hasWhollyKnownType(type, payload.payload);
  if (isUnknownPayload(payload)) return false;
  for (const child of childrenOf(type, payload)) if (!hasWhollyKnownType(child.type, child.payload)) return false;
  return true;
}

function knownPayloadsEqual(type: Type, a: Payload, b: Payload): boolean | undefined {
  switch (type.kind) {
    case "string":
    case "bool":
      return a === b;
    case "number":
      return numbersEqual(a as NumberPayload, b as NumberPayload);
    case "list":
    case "tuple":
      return elementsEqual(type, a as readonly Payload[], b as readonly Payload[], true);
    case "object":
      return elementsEqual(type, a as readonly Payload[], b as readonly Payload[], false);
    case "map":
      return mapsEqual(type, a as ReadonlyMap<string, Payload>, b as ReadonlyMap<string, Payload>);
    case "set":
      return setsEqual(type.element, a as readonly Payload[], b as readonly Payload[]);
    case "capsule":
      return capsulesEqual(type, a as CapsulePayload, b as CapsulePayload);
    default:
      return undefined;
  }
}

/**
 * Compares elements. The first element that is not known to be equal decides the result for lists and tuples, as in go-cty. For
 * attributes and keys, go-cty visits elements in random order and the first that decides is the result; here, any difference decides.
 */
function elementsEqual(type: Type, a: readonly Payload[], b: readonly Payload[], firstDecides: boolean): boolean | undefined {
  let result: boolean | undefined = a.length === b.length;
  for (let index = 0; index < a.length && result !== false; index++) {
    const equal = payloadsEqual(partType(type, index), a[index]!, b[index]!);
    if (equal !== true) result = equal;
    if (equal === undefined && firstDecides) break;
  }
  return result;
}

function mapsEqual(type: Type, a: ReadonlyMap<string, Payload>, b: ReadonlyMap<string, Payload>): boolean | undefined {
  const keys = [...a.keys()];
  return keys.every((key) => b.has(key)) && elementsEqual(type, [...a.values()], [...b.values()], false);
}

/** Compares sets. Only elements that are themselves unknown make the result unknown: an element with unknown parts equals nothing. */
function setsEqual(elementType: Type, a: readonly Payload[], b: readonly Payload[]): boolean | undefined {
  if (a.some(isUnknownPayload) || b.some(isUnknownPayload)) return undefined;
  return includesAll(elementType, a, b) && includesAll(elementType, b, a);
}

/** Members are looked up by hash: 0 and -0 are equal numbers, but different members. */
function includesAll(elementType: Type, whole: readonly Payload[], part: readonly Payload[]): boolean {
  if (whole.length === part.length && elementType === string) return part.every((element, index) => whole[index] === element);
  const buckets = Map.groupBy(whole, (element) => hashText(elementType, element));
  return part.every((element) => {
    const bucket = buckets.get(hashText(elementType, element)) ?? [];
    return bucket.some((candidate) => payloadsEqual(elementType, candidate, element) === true);
  });
}

function capsulesEqual(type: CapsuleType, a: CapsulePayload, b: CapsulePayload): boolean | undefined {
  if (type.ops.equals === undefined) return sameNatives(type, a, b);
  const { payload } = type.ops.equals(a.native, b.native);
  const plain = unmarkedPayload(payload);
  return typeof plain === "boolean" ? plain : undefined;
}
