// SPDX-License-Identifier: Apache-2.0
import { indexStep } from "../path.ts";
import type { Path } from "../path-step.ts";
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
import { elements } from "../value-ops.ts";
import { valueOf, type Value } from "../value.ts";
import { conversionError, conversionsTo, remadeNull, type Rules, type StepConversion } from "./rules.ts";

type Sequence = "list" | "set";

/** Lists and sets from lists and sets. @see go-cty conversionCollectionToList, conversionCollectionToSet */
export function collectionToSequence(kind: Sequence, element: Type, conversion: StepConversion | undefined): StepConversion {
  return (value, path) => {
    const source = value.type as CollectionType;
    const { min, max } = lengthBounds(source, value.payload);
    // go-cty forgets here which element type was wanted.
    if (kind === "list" && min !== max) return valueOf(list(source.element), UNKNOWN);
    const parts = elements(value).map(([, part], index) => remadeNull(conversion?.(part, [...path, indexStep(index)]) ?? part));
    if (parts.length === 0) return empty(kind, element.kind === "dynamic" ? source.element : element);
    return sequenceOf(kind, parts, path);
  };
}

function empty(kind: CollectionType["kind"], element: Type): Value {
  const type = withoutOptionalAttributes(element);
  if (kind === "map") return valueOf(map(type), new Map<string, Payload>());
  return valueOf(kind === "list" ? list(type) : set(type), []);
}

/** Elements that came out with different types, because some were dynamic, make no collection. */
function sequenceOf(kind: Sequence, parts: readonly Value[], path: Path): Value {
  requireOneType(parts, `element types must all match for conversion to ${kind}`, path);
  return kind === "list" ? listOf(parts) : setOf(parts);
}

function requireOneType(parts: Iterable<Value>, message: string, path: Path): void {
  const types = new Set(Array.from(parts, (part) => part.type));
  types.delete(dynamic);
  if (types.size > 1) throw conversionError(message, path);
}

/** Maps from maps. @see go-cty conversionCollectionToMap */
export function mapToMap(rules: Rules, element: Type, conversion: StepConversion): StepConversion {
  return (value, path) => {
    const parts = new Map(elements(value).map(([key, part]) => [key.payload as string, conversion(part, [...path, indexStep(key)])]));
    if (parts.size === 0) return empty("map", element.kind === "dynamic" ? (value.type as CollectionType).element : element);
    // go-cty allows only safe conversions here.
    return mapFrom(rules.safe, element, parts, "element types must all match for conversion to map", path);
  };
}

function mapFrom(rules: Rules, element: Type, parts: ReadonlyMap<string, Value>, problem: string, path: Path): Value {
  const compound = element.kind === "list" || element.kind === "set" || element.kind === "map" || element.kind === "object";
  let unified = parts;
  if (compound) {
    const values = unifyParts(rules, [...parts.values()], path, (index) => indexStep([...parts.keys()][index]!));
    unified = new Map([...parts.keys()].map((key, index) => [key, values[index]!]));
  }
  requireOneType(unified.values(), problem, path);
  return mapOf(unified);
}

/** Brings parts that still differ in dynamic places to one type. @see go-cty conversionUnifyCollectionElements */
function unifyParts(rules: Rules, parts: readonly Value[], path: Path, step: (index: number) => Path[number]): Value[] {
  const unification = rules.unify(parts.map((part) => part.type));
  if (unification === undefined) throw conversionError("cannot find a common base type for all elements", path);
  return parts.map((part, index) => {
    if (part.type === unification.type) return part;
    return rules.find(part.type, unification.type)?.(part, [...path, step(index)]) ?? part;
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
  return (value, path) => {
    const parts = elements(value).map(([, part], index) => conversions[index]?.(part, [...path, indexStep(index)]) ?? part);
    return sequenceOf(kind, kind === "list" ? unifyParts(rules, parts, path, indexStep) : parts.map(remadeNull), path);
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
  return (value, path) => {
    const parts = new Map(
      elements(value).map(([key, part], index) => [key.payload as string, conversions[index]?.(part, [...path, indexStep(key)]) ?? part]),
    );
    return mapFrom(rules, target, parts, "attribute types must all match for conversion to map", path);
  };
}
