// SPDX-License-Identifier: Apache-2.0
import { mapPayload } from "./map-payload.ts";
import { misuse } from "./error.ts";
import { unmarkPayloadDeep } from "./marks.ts";
import { CapsulePayload, containsMark, markedPayload, UNKNOWN, type Mark, type Payload } from "./payload.ts";
import { setPayload } from "./set-internals.ts";
import {
  dynamic,
  list,
  map,
  objectFromMap,
  set,
  tupleFromArray,
  type CapsuleType,
  type ListType,
  type MapType,
  type ObjectType,
  type SetType,
  type TupleType,
  type Type,
} from "./type.ts";
import { typeGoString } from "./type-names.ts";
import { refinePayload, type Refinements } from "./unknown-refinement.ts";
import { valueOf, type Value } from "./value.ts";

/** A value of the type that is not known yet, with what is known about it. The type keeps its optional attributes. @see go-cty UnknownVal */
export function unknown<T extends Type>(type: T, refinements?: Refinements): Value<T> {
  return valueOf(type, refinements === undefined ? UNKNOWN : refinePayload(type, UNKNOWN, refinements));
}

/** The null value of the type, which keeps its optional attributes. @see go-cty NullVal */
export function nullOf<T extends Type>(type: T): Value<T> {
  return valueOf(type, null);
}

/** A value of a capsule type. */
export function capsuleOf<Native>(type: CapsuleType<Native>, native: Native): Value<CapsuleType<Native>> {
  return valueOf(type, new CapsulePayload(native));
}

/**
 * The type that all the values have, where values of dynamic type (null, or unknown) can be of any.
 *
 * @throws CtyError `MISUSE` if two differ.
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

/** A list of values of one type; for an empty one its element type must be given. @see go-cty ListVal */
export function listOf(values: readonly Value[], elementType: Type = commonType("list", values)): Value<ListType> {
  return valueOf(
    list(elementType),
    values.map((value) => value.payload),
  );
}

/** A set of values of one type. Their marks become marks of the set. @see go-cty SetVal */
export function setOf(values: readonly Value[], elementType: Type = commonType("set", values)): Value<SetType> {
  const payloads = values.map((value) => value.payload);
  return valueOf(set(elementType), markedSetPayload(elementType, payloads));
}

/** The payload of a set whose elements may be marked. */
export function markedSetPayload(elementType: Type, elements: readonly Payload[]): Payload {
  if (!elements.some(containsMark)) return setPayload(elementType, elements);
  const marks = new Set<Mark>();
  const plain = elements.map((element) => unmarkPayloadDeep(element, marks));
  return markedPayload(setPayload(elementType, plain), marks);
}

/** A map of values of one type; keys in normal form C. @see go-cty MapVal */
export function mapOf(values: ReadonlyMap<string, Value>, elementType: Type = commonType("map", values.values())): Value<MapType> {
  const entries = [...values].map(([key, value]) => [key, value.payload] as const);
  return valueOf(map(elementType), mapPayload(entries));
}

/** A tuple of the values' types. @see go-cty TupleVal */
export function tupleOf(values: readonly Value[]): Value<TupleType> {
  const type = tupleFromArray(values.map((value) => value.type));
  return valueOf(
    type,
    values.map((value) => value.payload),
  );
}

/** An object of the values' types; names in normal form C. @see go-cty ObjectVal */
export function objectOf(values: ReadonlyMap<string, Value>): Value<ObjectType> {
  const type = objectFromMap(new Map([...values].map(([name, value]) => [name, value.type])));
  return valueOf(
    type,
    type.names.map((name) => values.get(name)!.payload),
  );
}

/** A compound value of the given kind and parts; `keys` are those of a map or object. */
export function composed(kind: Type["kind"], parts: readonly Value[], keys: readonly string[] = [], elementType?: Type): Value {
  if (kind === "list") return listOf(parts, elementType);
  if (kind === "set") return setOf(parts, elementType);
  if (kind === "tuple") return tupleOf(parts);
  const entries = new Map(parts.map((part, index) => [keys[index]!, part]));
  return kind === "map" ? mapOf(entries, elementType) : objectOf(entries);
}
