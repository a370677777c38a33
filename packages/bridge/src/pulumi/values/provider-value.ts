// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  dynamic,
  hasDynamic,
  listOf,
  mapOf,
  nullOf,
  number,
  objectOf,
  of,
  setOf,
  string,
  tupleOf,
  unknown,
  type ObjectType,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { normalizeString, numberText, type NumberPayload, valueOf } from "@tenon/cty/unstable/payload";
import type { ObjectMapping, PropertyMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { formatPropertyPath, type PropertyPath } from "./property-path.ts";

/** A property that cannot be converted. */
export interface PropertyProblem {
  /** Path of the property in the engine's notation. */
  readonly property: string;
  readonly reason: string;
}

/** The result of a conversion to a provider's value. Values with problems are null. */
export interface ProviderValue {
  readonly value: Value;
  readonly problems: readonly PropertyProblem[];
}

/** The properties that a conversion includes. */
export interface ConversionScope {
  /**
   * - `config`: the properties that a program can set, without those that only the provider sets.
   * - `state`: all properties.
   */
  readonly of: "config" | "state";
}

/**
 * Converts properties to the value of a block. Secrets and outputs are unwrapped. Strings accept numbers and booleans. Numbers accept texts; the
 * empty text is null. Properties whose names begin with two underscores belong to bridges and are ignored.
 *
 * @param type - implied type of the block.
 */
export function providerValue(mapping: ObjectMapping, type: ObjectType, properties: PropertyMap, scope: ConversionScope): ProviderValue {
  const conversion = new Conversion(scope);
  const value = conversion.object(mapping, type, properties, []);
  return { value, problems: conversion.problems };
}

/** Converts one property value, such as an argument of a function. */
export function singleValue(mapping: ValueMapping, value: PropertyValue, path: PropertyPath): ProviderValue {
  const conversion = new Conversion({ of: "config" });
  return { value: conversion.value(mapping, value, path), problems: conversion.problems };
}

class Conversion {
  readonly problems: PropertyProblem[] = [];
  readonly #scope: ConversionScope;

  constructor(scope: ConversionScope) {
    this.#scope = scope;
  }

  object(mapping: ObjectMapping, type: Type, properties: PropertyMap, path: PropertyPath): Value {
    const parts = new Map<string, Value>();
    for (const property of mapping.properties) {
      const given = properties.get(property.property);
      const isExcluded = this.#scope.of === "config" && !property.input;
      if (isExcluded && (plain(given) ?? null) !== null) {
        this.#problem([...path, property.property], "only the provider sets this property");
      }
      parts.set(property.attribute, this.#property(property, isExcluded ? undefined : given, [...path, property.property]));
    }
    for (const name of properties.keys()) {
      if (mapping.byProperty.has(name) || name.startsWith("__")) continue;
      if (this.#scope.of === "config") this.#problem([...path, name], "the type has no such property");
    }
    return conforming(objectOf(parts), type);
  }

  #property(property: PropertyMapping, given: PropertyValue | undefined, path: PropertyPath): Value {
    const value = plain(given);
    if (property.block !== undefined && (value === undefined || value === null)) return this.#absentBlock(property, path);
    return this.value(property.value, value ?? null, path);
  }

  #absentBlock({ value, block }: PropertyMapping, path: PropertyPath): Value {
    if (block === "single") return nullOf(value.type);
    if (block === "group") return value.kind === "object" ? this.object(value.object, value.type, new Map(), path) : nullOf(value.type);
    return emptyCollection(value.type, value.kind === "map");
  }

  value(mapping: ValueMapping, given: PropertyValue, path: PropertyPath): Value {
    const value = plain(given) ?? null;
    if (value === null) return nullOf(mapping.type);
    if (isSpecialProperty(value)) {
      if (value.kind === "unknown") return unknown(mapping.type);
      if (value.kind === "resource" && mapping.kind === "string") {
        return typeof value.id === "string" ? of(string, value.id) : unknown(string);
      }
      return this.#mismatch(mapping, `${nameOf(value)} cannot be used here`, path);
    }
    switch (mapping.kind) {
      case "string":
      case "number":
      case "bool":
        return this.#primitive(mapping, value, path);
      case "dynamic":
        return this.#dynamic(value, path);
      case "list":
      case "set":
        return this.#sequence(mapping, value, path);
      case "tuple":
        return this.#tuple(mapping, value, path);
      case "map":
        return this.#map(mapping, value, path);
      case "object":
        if (!isPropertyMap(value)) return this.#mismatch(mapping, `expected an object, got ${nameOf(value)}`, path);
        return this.object(mapping.object, mapping.type, value, path);
      default: {
        const element = this.value(mapping.element, value, path);
        return conforming(
          mapping.type.kind === "dynamic" ? tupleOf([element]) : collection(mapping.of, [element], mapping.type),
          mapping.type,
        );
      }
    }
  }

  #primitive(mapping: ValueMapping, value: PropertyValue, path: PropertyPath): Value {
    if (isPropertyArray(value) || isPropertyMap(value)) {
      return this.#mismatch(mapping, `expected a ${friendly(mapping.kind)}, got ${nameOf(value)}`, path);
    }
    if (mapping.kind === "number" && value === "") return nullOf(number);
    try {
      return convert(primitive(value as string | number | boolean), mapping.type);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      return this.#mismatch(mapping, `expected a ${friendly(mapping.kind)}: ${error.message}`, path);
    }
  }

  #dynamic(value: PropertyValue, path: PropertyPath): Value {
    const given = plain(value) ?? null;
    if (given === null) return nullOf(dynamic);
    if (isPropertyArray(given)) return tupleOf(given.map((element, index) => this.#dynamic(element, [...path, index])));
    if (isPropertyMap(given)) {
      const parts = [...given].map(([name, part]) => [normalizeString(name), this.#dynamic(part, [...path, name])] as const);
      return objectOf(new Map(parts));
    }
    if (!isSpecialProperty(given)) return this.#dynamicPrimitive(given, path);
    if (given.kind === "unknown") return unknown(dynamic);
    this.#problem(path, `${nameOf(given)} cannot be used here`);
    return nullOf(dynamic);
  }

  #dynamicPrimitive(value: string | number | boolean, path: PropertyPath): Value {
    try {
      return primitive(value);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      this.#problem(path, error.message);
      return nullOf(dynamic);
    }
  }

  #sequence(mapping: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>, value: PropertyValue, path: PropertyPath): Value {
    if (!isPropertyArray(value)) return this.#mismatch(mapping, `expected an array, got ${nameOf(value)}`, path);
    const elements = value.map((element, index) => this.value(mapping.elements[0]!, element, [...path, index]));
    if (mapping.type.kind === "dynamic") return tupleOf(elements);
    return conforming(collection(mapping.kind === "set" ? "set" : "list", elements, mapping.type), mapping.type);
  }

  #tuple(mapping: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>, value: PropertyValue, path: PropertyPath): Value {
    if (!isPropertyArray(value) || value.length !== mapping.elements.length) {
      return this.#mismatch(mapping, `expected an array of ${mapping.elements.length} elements, got ${nameOf(value)}`, path);
    }
    return tupleOf(value.map((element, index) => this.value(mapping.elements[index]!, element, [...path, index])));
  }

  #map(mapping: Extract<ValueMapping, { readonly kind: "map" }>, value: PropertyValue, path: PropertyPath): Value {
    if (!isPropertyMap(value)) return this.#mismatch(mapping, `expected an object, got ${nameOf(value)}`, path);
    const entries = [...value].map(([key, part]) => [normalizeString(key), this.value(mapping.element, part, [...path, key])] as const);
    if (mapping.type.kind === "dynamic") return objectOf(new Map(entries));
    if (entries.length === 0) return emptyCollection(mapping.type, true);
    const elementType = (mapping.type as Extract<Type, { readonly kind: "map" }>).element;
    return conforming(hasDynamic(elementType) ? objectOf(new Map(entries)) : mapOf(new Map(entries), elementType), mapping.type);
  }

  #mismatch(mapping: ValueMapping, reason: string, path: PropertyPath): Value {
    this.#problem(path, reason);
    return nullOf(mapping.type);
  }

  #problem(path: PropertyPath, reason: string): void {
    this.problems.push({ property: formatPropertyPath(path), reason });
  }
}

/** Unwraps secrets and outputs. */
export function plain(value: PropertyValue | undefined): PropertyValue | undefined {
  if (!isSpecialProperty(value)) return value;
  if (value.kind === "secret") return plain(value.value);
  if (value.kind === "output") return value.value === undefined ? { kind: "unknown", of: "string" } : plain(value.value);
  return value;
}

function collection(kind: "list" | "set", elements: readonly Value[], type: Type): Value {
  if (elements.length === 0) return emptyCollection(type, false);
  const elementType = type.kind === "list" || type.kind === "set" ? type.element : dynamic;
  // Elements of a dynamic type can have different types. The conversion of the tuple finds their common type.
  if (hasDynamic(elementType)) return tupleOf(elements);
  return kind === "set" ? setOf(elements, elementType) : listOf(elements, elementType);
}

function emptyCollection(type: Type, isMap: boolean): Value {
  if (type.kind === "dynamic") return isMap ? objectOf(new Map()) : tupleOf([]);
  return valueOf(type, type.kind === "map" ? new Map() : []);
}

/** Converts a value to the type if the type has dynamic parts. Otherwise the value is of the type already. */
function conforming(value: Value, type: Type): Value {
  return value.type === type || type.kind === "dynamic" ? value : convert(value, type);
}

function primitive(value: string | number | boolean): Value {
  if (typeof value === "string") return of(string, value);
  return typeof value === "number" ? numberOf(value) : of(bool, value);
}

/** Converts a double like the CLIs convert a number in a configuration: exactly by its decimal text. */
function numberOf(double: number): Value {
  if (!Number.isFinite(double)) throw new CtyError("INVALID_VALUE", "a finite number is required");
  const value = of(number, double);
  return Number.isSafeInteger(double) ? value : convert(of(string, numberText(value.payload as NumberPayload)), number);
}

function friendly(kind: ValueMapping["kind"]): string {
  return kind === "bool" ? "boolean" : kind;
}

function nameOf(value: PropertyValue): string {
  if (value === null) return "null";
  if (isPropertyArray(value)) return "an array";
  if (isPropertyMap(value)) return "an object";
  if (!isSpecialProperty(value)) return `a ${typeof value}`;
  if (value.kind === "bytes") return "a byte string";
  return `${/^[aou]/.test(value.kind) ? "an" : "a"} ${value.kind}`;
}
