// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import {
  isMarkedPayload,
  isUnknownPayload,
  markedPayload,
  UNKNOWN,
  UNKNOWN_NOT_NULL,
  type CapsulePayload,
  type Refinement,
} from "../payload/payload.ts";
import { perType } from "../type/per-type.ts";
import { childTypes, isCollectionType, isPrimitiveType, withoutOptionalAttributes } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { capsuleOf, nullOf } from "../construction/value-init.ts";
import { refinePayload, type Refinements } from "../refinement/unknown-refinement.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { collectionToSequence, mapToMap, objectToMap, tupleToSequence } from "./conversion-collection.ts";
import { dynamicReplace } from "./conversion-dynamic.ts";
import { mapToObject, objectToObject, tupleToTuple } from "./conversion-object.ts";
import { primitiveConversion } from "./conversion-primitive.ts";
import { mismatch } from "./mismatch.ts";
import type { Rules, StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";
import { unify } from "./unify.ts";

const safe: Rules = rules(false);
const unsafe: Rules = rules(true);

function rules(isUnsafe: boolean): Rules {
  const self: Rules = {
    unsafe: isUnsafe,
    get safe() {
      return safe;
    },
    find: (from, to) => find(self, from, to),
    unify: (types) => unify(self, types),
    mismatch: (got, want) => mismatch({ safe: safe.find, unsafe: unsafe.find }, got, want),
  };
  return self;
}

/** Returns the rules for conversions that always succeed, or those for conversions that may fail for some values. */
export function rulesOf(allowUnsafe: boolean): Rules {
  return allowUnsafe ? unsafe : safe;
}

/** Finds a conversion, and adds the handling of marks, null and unknown values. @see go-cty getConversion */
function find(rules: Rules, from: Type, to: Type): StepConversion | undefined {
  // The operations of a capsule type decide about its conversions, and may return others later.
  if (isPrimitiveType(from) || from.kind === "dynamic" || hasCapsule(from) || hasCapsule(to)) return findAnew(rules, from, to);
  const found = rules.unsafe ? unsafeFound : safeFound;
  let byTarget = found.get(from);
  if (byTarget === undefined) found.set(from, (byTarget = new WeakMap()));
  let entry = byTarget.get(to);
  if (entry === undefined) byTarget.set(to, (entry = { conversion: findAnew(rules, from, to) }));
  return entry.conversion;
}

const hasCapsule: (type: Type) => boolean = perType((type) => type.kind === "capsule" || childTypes(type).some(hasCapsule));

/** Conversions by source and target type. Finding one takes longer than converting a value. */
type Found = WeakMap<Type, WeakMap<Type, { readonly conversion: StepConversion | undefined }>>;
const safeFound: Found = new WeakMap();
const unsafeFound: Found = new WeakMap();

function findAnew(rules: Rules, from: Type, to: Type): StepConversion | undefined {
  const conversion = findKnown(rules, from, to);
  if (conversion === undefined) return undefined;
  if (to.kind === "dynamic") return conversion;
  const convert: StepConversion = (value, trail) => {
    const { payload } = value;
    if (isMarkedPayload(payload)) {
      const result = convert(valueOf(value.type, payload.payload), trail);
      return valueOf(result.type, markedPayload(result.payload, payload.marks));
    }
    if (payload !== null && !isUnknownPayload(payload)) return conversion(value, trail);
    const type = dynamicReplace(unsafe, value.type, withoutOptionalAttributes(to));
    return payload === null ? nullOf(type) : unknownResult(value.type, payload.refinement, type);
  };
  return convert;
}

function findKnown(rules: Rules, from: Type, to: Type): StepConversion | undefined {
  if (to.kind === "dynamic") return (value) => value;
  if (from.kind === "dynamic") return rules.unsafe ? (value, trail) => convertDynamic(value, to, trail) : undefined;
  if (isPrimitiveType(from) && isPrimitiveType(to)) return primitiveConversion(from, to, rules.unsafe);
  switch (to.kind) {
    case "object":
      if (from.kind === "object") return objectToObject(rules, from, to);
      if (from.kind === "map") return rules.unsafe ? mapToObject(rules, from, to) : undefined;
      break;
    case "tuple":
      if (from.kind === "tuple") return tupleToTuple(rules, from, to);
      break;
    case "list":
    case "set":
      if (from.kind === "tuple") return tupleToSequence(rules, to.kind, from, to.element);
      if (from.kind !== "list" && from.kind !== "set") break;
      // A set drops duplicates.
      if (to.kind === "set" && from.kind === "list" && !rules.unsafe) return undefined;
      if (from.element === to.element) return collectionToSequence(to.kind, to.element, undefined);
      return ifFound(rules.find(from.element, to.element), (element) => collectionToSequence(to.kind, to.element, element));
    case "map":
      if (from.kind === "object") return objectToMap(rules, from, to.element);
      if (from.kind !== "map") break;
      return ifFound(rules.find(from.element, to.element), (element) => mapToMap(rules, to.element, element));
    default:
  }
  return rules.unsafe && from !== to ? capsuleConversion(from, to) : undefined;
}

function ifFound(element: StepConversion | undefined, make: (element: StepConversion) => StepConversion): StepConversion | undefined {
  return element === undefined ? undefined : make(element);
}

/** Converts a value whose type is known only at run time. */
function convertDynamic(value: Value, to: Type, trail: Trail): Value {
  if (value.type === withoutOptionalAttributes(to)) return value;
  const conversion = unsafe.find(value.type, to);
  if (conversion === undefined) throw new CtyError("CONVERSION", unsafe.mismatch(value.type, to), trail.path());
  return conversion(value, trail);
}

/** Finds the conversion of a capsule type. The operations of the target take precedence. @see go-cty convert/conversion_capsule.go */
function capsuleConversion(from: Type, to: Type): StepConversion | undefined {
  const toCapsule = to.kind === "capsule" ? to.ops.conversionTo?.(from) : undefined;
  if (to.kind === "capsule" && toCapsule !== undefined) return (value, trail) => capsuleOf(to, toCapsule(value, trail.path()));
  const fromCapsule = from.kind === "capsule" ? from.ops.conversionFrom?.(to) : undefined;
  if (fromCapsule === undefined) return undefined;
  return (value, trail) => fromCapsule((value.payload as CapsulePayload).native, trail.path());
}

/** Returns the unknown result for an unknown value. It keeps the nullness and the bounds of the length. @see go-cty prepareUnknownResult */
function unknownResult(from: Type, refinement: Refinement | undefined, type: Type): Value {
  const length = lengthAfter(from, refinement, type);
  if (length === undefined) return valueOf(type, refinement?.notNull ? UNKNOWN_NOT_NULL : UNKNOWN);
  return valueOf(type, refinePayload(type, UNKNOWN, refinement?.notNull ? { notNull: true, ...length } : length));
}

function lengthAfter(from: Type, refinement: Refinement | undefined, to: Type): Refinements | undefined {
  if (from.kind === "object" && to.kind === "map") return exactly(from.names.length);
  if (from.kind === "tuple" && to.kind === "list") return exactly(from.elements.length);
  if (from.kind === "tuple" && to.kind === "set") return { lengthMin: Math.min(1, from.elements.length), lengthMax: from.elements.length };
  if (!isCollectionType(from) || !isCollectionType(to)) return undefined;
  const { lengthMin = 0, lengthMax } = refinement ?? {};
  return { lengthMin: to.kind === "set" && lengthMin > 1 ? 1 : lengthMin, ...(lengthMax === undefined ? {} : { lengthMax }) };
}

function exactly(length: number): Refinements {
  return { lengthMin: length, lengthMax: length };
}
