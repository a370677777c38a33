// SPDX-License-Identifier: Apache-2.0
import { mapPayload } from "../payload/map-payload.ts";
import { misuse } from "../error/error.ts";
import { unmarkPayloadDeep } from "../value/marks.ts";
import { CapsulePayload, containsMark, markedPayload, UNKNOWN, type Mark, type Payload } from "../payload/payload.ts";
import { setPayload } from "../equality/set-internals.ts";
import { dynamic, list, map, objectFromMap, set, tupleFromArray } from "../type/type.ts";
import type { CapsuleType, ListType, MapType, ObjectType, SetType, TupleType, Type } from "../model/type.ts";
import { typeGoString } from "../type/type-names.ts";
import { refinePayload, type Refinements } from "../refinement/unknown-refinement.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/** Returns an unknown value of the type, with refinements. The type keeps its optional attributes. @see go-cty UnknownVal */
export function unknown<T extends Type>(type: T, refinements?: Refinements): Value<T> {
  return valueOf(type, refinements === undefined ? UNKNOWN : refinePayload(type, UNKNOWN, refinements));
}

/** Returns the null value of the type. The type keeps its optional attributes. @see go-cty NullVal */
export function nullOf<T extends Type>(type: T): Value<T> {
  return valueOf(type, null);
}

/** Returns a value of a capsule type. */
export function capsuleOf<Native>(type: CapsuleType<Native>, native: Native): Value<CapsuleType<Native>> {
  return valueOf(type, new CapsulePayload(native));
}

/**
 * Returns the common type of the values. Values of dynamic type, which are null or unknown, match any type.
 *
 * @throws CtyError `MISUSE` if two types differ.
 */
export function commonType(kind: "list" | "set" | "map", values: Iterable<Value>): Type {
  let common: Type = dynamic;
  for (const { type } of values) {
    if (common === dynamic) common = type;
    else if (type !== dynamic && type !== common) {
      throw misuse(`inconsistent ${kind} element types (${typeGoString(common)} then ${typeGoString(type)})`);
    }
  }
  return common;
}

/** Returns a list of values of one type. For an empty list, pass the element type. @see go-cty ListVal */
export function listOf(values: readonly Value[], elementType: Type = commonType("list", values)): Value<ListType> {
  return valueOf(
    list(elementType),
    values.map((value) => value.payload),
  );
}

/** Returns a set of values of one type. Their marks become marks of the set. @see go-cty SetVal */
export function setOf(values: readonly Value[], elementType: Type = commonType("set", values)): Value<SetType> {
  const payloads = values.map((value) => value.payload);
  return valueOf(set(elementType), markedSetPayload(elementType, payloads));
}

/** Returns the payload of a set whose elements may be marked. */
export function markedSetPayload(elementType: Type, elements: readonly Payload[]): Payload {
  if (!elements.some(containsMark)) return setPayload(elementType, elements);
  const marks = new Set<Mark>();
  const plain = elements.map((element) => unmarkPayloadDeep(element, marks));
  return markedPayload(setPayload(elementType, plain), marks);
}

/** Returns a map of values of one type. The keys must be in normal form C. @see go-cty MapVal */
export function mapOf(values: ReadonlyMap<string, Value>, elementType: Type = commonType("map", values.values())): Value<MapType> {
  const entries = [...values].map(([key, value]) => [key, value.payload] as const);
  return valueOf(map(elementType), mapPayload(entries));
}

/** Returns a tuple of the values. @see go-cty TupleVal */
export function tupleOf(values: readonly Value[]): Value<TupleType> {
  const type = tupleFromArray(values.map((value) => value.type));
  return valueOf(
    type,
    values.map((value) => value.payload),
  );
}

/** Returns an object of the values. The names must be in normal form C. @see go-cty ObjectVal */
export function objectOf(values: ReadonlyMap<string, Value>): Value<ObjectType> {
  const type = objectFromMap(new Map([...values].map(([name, value]) => [name, value.type])));
  return valueOf(
    type,
    type.names.map((name) => values.get(name)!.payload),
  );
}

/** Returns a compound value of the given kind and parts. `keys` are those of a map or object. */
export function composed(kind: Type["kind"], parts: readonly Value[], keys: readonly string[] = [], elementType?: Type): Value {
  if (kind === "list") return listOf(parts, elementType);
  if (kind === "set") return setOf(parts, elementType);
  if (kind === "tuple") return tupleOf(parts);
  const entries = new Map(parts.map((part, index) => [keys[index]!, part]));
  return kind === "map" ? mapOf(entries, elementType) : objectOf(entries);
}
