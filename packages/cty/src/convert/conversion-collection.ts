// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, type Payload } from "../payload/payload.ts";
import { dynamic, list, map, set, withoutOptionalAttributes } from "../type/type.ts";
import type { CollectionType, ObjectType, TupleType, Type } from "../model/type.ts";
import { lengthBounds } from "../refinement/value-range.ts";
import { listOf, mapOf, setOf } from "../construction/value-init.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { conversionError, conversionsTo, remadeNull, type Rules, type StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";

type Sequence = "list" | "set";

/** Lists and sets from lists and sets. @see go-cty conversionCollectionToList, conversionCollectionToSet */
export function collectionToSequence(kind: Sequence, element: Type, conversion: StepConversion | undefined): StepConversion {
  return (value, trail) => {
    const source = value.type as CollectionType;
    const { min, max } = lengthBounds(source, value.payload);
    // As in go-cty, the result has the element type of the source here, not of the target.
    if (kind === "list" && min !== max) return valueOf(list(source.element), UNKNOWN);
    const parts = convertedParts(value, () => conversion, trail).map(remadeNull);
    if (parts.length === 0) return emptyOf(kind, element, source.element);
    return sequenceOf(kind, parts, trail);
  };
}

/** The converted elements of a list, set or tuple. Elements without a conversion stay. */
function convertedParts(value: Value, conversionAt: (index: number) => StepConversion | undefined, trail: Trail): Value[] {
  const { type } = value;
  return partsOf(value).map((payload, index) => {
    const part = valueOf(type.kind === "tuple" ? type.elements[index]! : (type as CollectionType).element, payload);
    return entered(part, conversionAt(index), index, trail);
  });
}

function partsOf({ type, payload }: Value): readonly Payload[] {
  // After a unification, the value can be a map.
  if (type.kind === "map") return [...(payload as ReadonlyMap<string, Payload>).values()];
  return payload as readonly Payload[];
}

/** Converts a part, with the trail at its position. */
export function entered(part: Value, conversion: StepConversion | undefined, step: Parameters<Trail["enter"]>[0], trail: Trail): Value {
  if (conversion === undefined) return part;
  trail.enter(step);
  const result = conversion(part, trail);
  trail.leave();
  return result;
}

/** An empty collection. If the target's element type is dynamic, it keeps the source's element type and, as in go-cty, its optional attributes. */
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

/** A list or set of the parts. @throws CtyError if the parts have different types, which happens if some types were dynamic. */
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

/** The converted elements of a map, or attributes of an object. */
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

/** Yields the names and parts of a map. After a unification, the value can also be an object. */
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

/**
 * Converts parts that still differ, in dynamic places or in optional attributes, to one type. Unification removes the optional
 * attributes even where all parts have the same type. @see go-cty conversionUnifyCollectionElements
 */
function unifyParts(rules: Rules, parts: readonly Value[], trail: Trail, step: (index: number) => string | number): readonly Value[] {
  const [first] = parts;
  if (first !== undefined && isUnified(first.type) && parts.every((part) => part.type === first.type)) return parts;
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
  // A dynamic target requires that all elements are of unknown type.
  if (target.kind === "dynamic" && from.elements.some((type) => type.kind !== "dynamic")) return undefined;
  const conversions = conversionsTo(rules, from.elements, target);
  if (conversions === undefined) return undefined;
  return (value, trail) => {
    const parts = convertedParts(value, (index) => conversions[index], trail);
    return sequenceOf(kind, kind === "list" ? unifyElements(rules, parts, trail) : parts.map(remadeNull), trail);
  };
}

/** Unifies the elements of a list. As in go-cty, the path of an error starts with the last element. @see go-cty conversionUnifyListElements */
function unifyElements(rules: Rules, parts: readonly Value[], trail: Trail): readonly Value[] {
  trail.enter(parts.length - 1);
  const unified = unifyParts(rules, parts, trail, (index) => index);
  trail.leave();
  return unified;
}

/** Whether the type is the unification of itself with itself. */
function isUnified(type: Type): boolean {
  return type === withoutOptionalAttributes(type);
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
