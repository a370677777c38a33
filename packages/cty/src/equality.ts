// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "./children.ts";
import { numbersEqual, type NumberPayload } from "./number/number.ts";
import {
  isMarkedPayload,
  isUnknownPayload,
  unmarkedPayload,
  type CapsulePayload,
  type NumberBound,
  type Payload,
  type Refinement,
} from "./payload.ts";
import { hashText } from "./set-hash.ts";
import { hasDynamic, type CapsuleType, type Type } from "./type.ts";
import { testConformance } from "./type-conform.ts";
import { rangeExcludes } from "./value-range.ts";

/**
 * Whether two payloads of one type are exactly the same, marks and refinements included: go-cty's RawEquals.
 * Shared structure makes it cheap: the same object is the same payload.
 */
export function payloadsSame(type: Type, a: Payload, b: Payload): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    return type.kind === "number" && isPlainNumber(a) && isPlainNumber(b) && numbersEqual(a, b);
  }
  if (isMarkedPayload(a) || isMarkedPayload(b)) {
    if (!isMarkedPayload(a) || !isMarkedPayload(b)) return false;
    return sameMarks(a.marks, b.marks) && payloadsSame(type, a.payload, b.payload);
  }
  if (isUnknownPayload(a) || isUnknownPayload(b))
    return isUnknownPayload(a) && isUnknownPayload(b) && sameRefinement(a.refinement, b.refinement);
  switch (type.kind) {
    case "number":
      return numbersEqual(a as NumberPayload, b as NumberPayload);
    case "list":
    case "set":
      return sameElements(a as readonly Payload[], b as readonly Payload[], () => type.element);
    case "tuple":
      return sameElements(a as readonly Payload[], b as readonly Payload[], (index) => type.elements[index]!);
    case "object":
      return sameElements(a as readonly Payload[], b as readonly Payload[], (index) => type.attributes[type.names[index]!]!);
    case "map":
      return sameMaps(type.element, a as ReadonlyMap<string, Payload>, b as ReadonlyMap<string, Payload>);
    case "capsule":
      return sameNatives(type, a as CapsulePayload, b as CapsulePayload);
    default:
      return false;
  }
}

function isPlainNumber(payload: Payload): payload is NumberPayload {
  return typeof payload === "number" || (typeof payload === "object" && payload !== null && "kind" in payload && payload.kind === "number");
}

function sameMarks(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

function sameElements(a: readonly Payload[], b: readonly Payload[], typeAt: (index: number) => Type): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!payloadsSame(typeAt(index), a[index]!, b[index]!)) return false;
  return true;
}

function sameMaps(elementType: Type, a: ReadonlyMap<string, Payload>, b: ReadonlyMap<string, Payload>): boolean {
  if (a.size !== b.size) return false;
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
  return (
    a.notNull === b.notNull &&
    a.prefix === b.prefix &&
    a.lengthMin === b.lengthMin &&
    a.lengthMax === b.lengthMax &&
    sameBound(a.min, b.min) &&
    sameBound(a.max, b.max)
  );
}

function sameBound(a: NumberBound | undefined, b: NumberBound | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.inclusive === b.inclusive && numbersEqual(a.value, b.value));
}

/** Whether two payloads of one type are equal; undefined while that is unknown. Marks are left out. @see go-cty Value.Equals */
export function payloadsEqual(type: Type, a: Payload, b: Payload): boolean | undefined {
  return typedPayloadsEqual(type, a, type, b);
}

/** {@link payloadsEqual} for two payloads of types that may differ. */
export function typedPayloadsEqual(leftType: Type, left: Payload, rightType: Type, right: Payload): boolean | undefined {
  const a = unmarkedPayload(left);
  const b = unmarkedPayload(right);
  if (typeof a === "string" && typeof b === "string") return a === b;
  const leftUnknown = isUnknownPayload(a);
  const rightUnknown = isUnknownPayload(b);
  if (leftUnknown || rightUnknown) {
    if (a === null) return isUnknownPayload(b) && b.refinement?.notNull ? false : undefined;
    if (b === null) return isUnknownPayload(a) && a.refinement?.notNull ? false : undefined;
    if (leftUnknown && rightUnknown) return undefined;
    const unknownType = leftUnknown ? leftType : rightType;
    const knownType = leftUnknown ? rightType : leftType;
    const refinement = leftUnknown ? a.refinement : isUnknownPayload(b) ? b.refinement : undefined;
    if (rangeExcludes(unknownType, refinement, knownType, leftUnknown ? b : a)) return false;
    return hasDynamic(unknownType) || knownType === unknownType ? undefined : false;
  }
  if (a === null || b === null) return a === b;
  if (!hasWhollyKnownType(leftType, a) || !hasWhollyKnownType(rightType, b)) {
    const apart = testConformance(leftType, rightType).length > 0 && testConformance(rightType, leftType).length > 0;
    return apart ? false : undefined;
  }
  return leftType === rightType && knownPayloadsEqual(leftType, a, b);
}

/** Is there no unknown value of unknown type inside? Null has a type, even if that is dynamic. */
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
      return listsEqual(type.element, a as readonly Payload[], b as readonly Payload[]);
    case "tuple":
      return elementsEqual(a as readonly Payload[], b as readonly Payload[], (index) => type.elements[index]!);
    case "object":
      return slotsEqual(a as readonly Payload[], b as readonly Payload[], (index) => type.attributes[type.names[index]!]!);
    case "map":
      return mapsEqual(type.element, a as ReadonlyMap<string, Payload>, b as ReadonlyMap<string, Payload>);
    case "set":
      return setsEqual(type.element, a as readonly Payload[], b as readonly Payload[]);
    case "capsule":
      return capsulesEqual(type, a as CapsulePayload, b as CapsulePayload);
    default:
      return undefined;
  }
}

function listsEqual(elementType: Type, a: readonly Payload[], b: readonly Payload[]): boolean | undefined {
  return a.length === b.length && elementsEqual(a, b, () => elementType);
}

/** The first element that is not known to be equal decides, as in go-cty. */
function elementsEqual(a: readonly Payload[], b: readonly Payload[], typeAt: (index: number) => Type): boolean | undefined {
  for (let index = 0; index < a.length; index++) {
    const equal = payloadsEqual(typeAt(index), a[index]!, b[index]!);
    if (equal !== true) return equal;
  }
  return true;
}

/** go-cty visits attributes in random order and answers with the first that decides; here a difference decides, wherever it is. */
function slotsEqual(a: readonly Payload[], b: readonly Payload[], typeAt: (index: number) => Type): boolean | undefined {
  let result: boolean | undefined = true;
  for (let index = 0; index < a.length; index++) {
    const equal = payloadsEqual(typeAt(index), a[index]!, b[index]!);
    if (equal === false) return false;
    if (equal === undefined) result = undefined;
  }
  return result;
}

/** As {@link slotsEqual}, for the same reason. */
function mapsEqual(elementType: Type, a: ReadonlyMap<string, Payload>, b: ReadonlyMap<string, Payload>): boolean | undefined {
  if (a.size !== b.size) return false;
  let result: boolean | undefined = true;
  for (const [key, element] of a) {
    const other = b.get(key);
    if (other === undefined) return false;
    const equal = payloadsEqual(elementType, element, other);
    if (equal === false) return false;
    if (equal === undefined) result = undefined;
  }
  return result;
}

/** Only elements that are themselves unknown make the answer unknown: one with something unknown inside equals nothing. */
function setsEqual(elementType: Type, a: readonly Payload[], b: readonly Payload[]): boolean | undefined {
  if (a.some(isUnknownPayload) || b.some(isUnknownPayload)) return undefined;
  return includesAll(elementType, a, b) && includesAll(elementType, b, a);
}

/** A member is found by its hash first: 0 and -0 are equal, but not for a set. */
function includesAll(elementType: Type, whole: readonly Payload[], part: readonly Payload[]): boolean {
  if (whole.length === part.length && elementType.kind === "string") return part.every((element, index) => whole[index] === element);
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
