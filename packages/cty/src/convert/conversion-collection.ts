// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, type Payload } from "../payload.ts";
import {
  dynamic,
  list,
  map,
  set,
  withoutOptionalAttributes,
  type CollectionType,
  type ObjectType,
  type TupleType,
  type Type,
} from "../type.ts";
import { lengthBounds } from "../value-range.ts";
import { listOf, mapOf, setOf } from "../value-init.ts";
import { valueOf, type Value } from "../value.ts";
import { conversionError, conversionsTo, remadeNull, type Rules, type StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";

type Sequence = "list" | "set";

/** Lists and sets from lists and sets. @see go-cty conversionCollectionToList, conversionCollectionToSet */
export function collectionToSequence(kind: Sequence, element: Type, conversion: StepConversion | undefined): StepConversion {
  return (value, trail) => {
    const source = value.type as CollectionType;
    const { min, max } = lengthBounds(source, value.payload);
    // go-cty forgets here which element type was wanted.
    if (kind === "list" && min !== max) return valueOf(list(source.element), UNKNOWN);
    const parts = convertedParts(value, () => conversion, trail).map(remadeNull);
    if (parts.length === 0) return emptyOf(kind, element, source.element);
    return sequenceOf(kind, parts, trail);
  };
}

/** The elements of a list, set or tuple, each as its conversion makes it; as it is where there is none. */
function convertedParts(value: Value, conversionAt: (index: number) => StepConversion | undefined, trail: Trail): Value[] {
  const { type } = value;
  return partsOf(value).map((payload, index) => {
    const part = valueOf(type.kind === "tuple" ? type.elements[index]! : (type as CollectionType).element, payload);
    return entered(part, conversionAt(index), index, trail);
  });
}

function partsOf({ type, payload }: Value): readonly Payload[] {
  // Unification can bring maps and objects here.
  if (type.kind === "map") return [...(payload as ReadonlyMap<string, Payload>).values()];
  return payload as readonly Payload[];
}

/** A part converted with the trail at its place. */
export function entered(part: Value, conversion: StepConversion | undefined, step: Parameters<Trail["enter"]>[0], trail: Trail): Value {
  if (conversion === undefined) return part;
  trail.enter(step);
  const result = conversion(part, trail);
  trail.leave();
  return result;
}

/** Where any element will do, they keep their type, and as in go-cty its optional attributes. */
function emptyOf(kind: CollectionType["kind"], element: Type, own: Type): Value {
  return element.kind === "dynamic" ? emptyWith(kind, own) : empty(kind, element);
}

function empty(kind: CollectionType["kind"], element: Type): Value {
  return emptyWith(kind, withoutOptionalAttributes(element));
}

function emptyWith(kind: CollectionType["kind"], type: Type): Value {
  if (kind === "map") return valueOf(map(type), new Map<string, Payload>());
  return valueOf(kind === "list" ? list(type) : set(type), []);
}

/** Elements that came out with different types, because some were dynamic, make no collection. */
function sequenceOf(kind: Sequence, parts: readonly Value[], trail: Trail): Value {
  requireOneType(parts, `element types must all match for conversion to ${kind}`, trail);
  return kind === "list" ? listOf(parts) : setOf(parts);
}

function requireOneType(parts: Iterable<Value>, message: string, trail: Trail): void {
  let common: Type = dynamic;
  for (const { type } of parts) {
    if (type === common || type.kind === "dynamic") continue;
    if (common.kind !== "dynamic") throw conversionError(message, trail);
    common = type;
  }
}

/** Maps from maps. @see go-cty conversionCollectionToMap */
export function mapToMap(rules: Rules, element: Type, conversion: StepConversion): StepConversion {
  return (value, trail) => {
    const parts = convertedEntries(value, () => conversion, trail);
    if (parts.size === 0) return emptyOf("map", element, (value.type as CollectionType).element);
    // go-cty allows only safe conversions here.
    return mapFrom(rules.safe, element, parts, "element types must all match for conversion to map", trail);
  };
}

/** The elements of a map, or the attributes of an object, each as its conversion makes it. */
function convertedEntries(
  value: Value,
  conversionAt: (index: number) => StepConversion | undefined,
  trail: Trail,
): ReadonlyMap<string, Value> {
  const result = new Map<string, Value>();
  let index = 0;
  for (const [name, part] of entriesOf(value)) result.set(name, entered(part, conversionAt(index++), name, trail));
  return result;
}

/** Names and parts of a map, or of an object, which unification can bring in place of one. */
export function* entriesOf({ type, payload }: Value): Generator<readonly [name: string, part: Value]> {
  if (type.kind === "object") {
    for (const [index, name] of type.names.entries())
      yield [name, valueOf(type.attributes[name]!, (payload as readonly Payload[])[index]!)];
    return;
  }
  for (const [key, part] of payload as ReadonlyMap<string, Payload>) yield [key, valueOf((type as CollectionType).element, part)];
}

function mapFrom(rules: Rules, element: Type, parts: ReadonlyMap<string, Value>, problem: string, trail: Trail): Value {
  const compound = element.kind === "list" || element.kind === "set" || element.kind === "map" || element.kind === "object";
  let unified = parts;
  if (compound) {
    const keys = [...parts.keys()];
    const values = unifyParts(rules, [...parts.values()], trail, (index) => keys[index]!);
    unified = new Map(keys.map((key, index) => [key, values[index]!]));
  }
  requireOneType(unified.values(), problem, trail);
  return mapOf(unified);
}

/** Brings parts that still differ in dynamic places to one type. @see go-cty conversionUnifyCollectionElements */
function unifyParts(rules: Rules, parts: readonly Value[], trail: Trail, step: (index: number) => string | number): readonly Value[] {
  if (parts.every((part) => part.type === parts[0]!.type)) return parts;
  const unification = rules.unify(parts.map((part) => part.type));
  if (unification === undefined) throw conversionError("cannot find a common base type for all elements", trail);
  return parts.map((part, index) => {
    if (part.type === unification.type) return part;
    return entered(part, rules.find(part.type, unification.type), step(index), trail);
  });
}

/** Lists and sets from tuples. @see go-cty conversionTupleToList, conversionTupleToSet */
export function tupleToSequence(rules: Rules, kind: Sequence, from: TupleType, element: Type): StepConversion | undefined {
  if (from.elements.length === 0) return () => empty(kind, element);
  const target = element.kind === "dynamic" ? commonTypeOf(rules, from.elements) : element;
  if (target === undefined) return undefined;
  // Elements of unknown type say nothing, but then all must be.
  if (target.kind === "dynamic" && from.elements.some((type) => type.kind !== "dynamic")) return undefined;
  const conversions = conversionsTo(rules, from.elements, target);
  if (conversions === undefined) return undefined;
  return (value, trail) => {
    const parts = convertedParts(value, (index) => conversions[index], trail);
    const alike = kind === "list" ? unifyParts(rules, parts, trail, (index) => index) : parts.map(remadeNull);
    return sequenceOf(kind, alike, trail);
  };
}

function commonTypeOf(rules: Rules, types: readonly Type[]): Type | undefined {
  return rules.unify(types)?.type;
}

/** Maps from objects. @see go-cty conversionObjectToMap */
export function objectToMap(rules: Rules, from: ObjectType, element: Type): StepConversion | undefined {
  if (from.names.length === 0) return () => empty("map", element);
  const types = from.names.map((name) => from.attributes[name]!);
  const target = element.kind === "dynamic" ? commonTypeOf(rules, types) : element;
  if (target === undefined) return undefined;
  const conversions = conversionsTo(rules, types, target);
  if (conversions === undefined) return undefined;
  return (value, trail) => {
    const parts = convertedEntries(value, (index) => conversions[index], trail);
    return mapFrom(rules, target, parts, "attribute types must all match for conversion to map", trail);
  };
}
