// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  dynamic,
  hasDynamic,
  listOf,
  nullOf,
  number,
  objectOf,
  of,
  setOf,
  string,
  tupleOf,
  type ObjectType,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import {
  mapPayload,
  normalizeString,
  numberText,
  type NumberPayload,
  type Payload,
  setPayload,
  UNKNOWN,
  valueOf,
} from "@tenon/cty/unstable/payload";
import { elementTypeOf } from "../../type-mapping.ts";
import type { ObjectMapping, PropertyMapping, ValueMapping } from "../mapping/mapping.ts";
import {
  isPropertyArray,
  isPropertyMap,
  isSpecialProperty,
  type PropertyMap,
  type PropertyValue,
  type SpecialProperty,
} from "../property/property-value.ts";
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
  const value = conversion.object(mapping, type, properties);
  return { value, problems: conversion.problems };
}

/** Converts one property value, such as an argument of a function. */
export function singleValue(mapping: ValueMapping, value: PropertyValue, path: PropertyPath): ProviderValue {
  const conversion = new Conversion({ of: "config" }, path);
  return { value: conversion.value(mapping, value), problems: conversion.problems };
}

class Conversion {
  readonly problems: PropertyProblem[] = [];
  readonly #scope: ConversionScope;
  /** Steps to the value that is being converted. */
  readonly #path: (string | number)[];

  constructor(scope: ConversionScope, path: PropertyPath = []) {
    this.#scope = scope;
    this.#path = [...path];
  }

  object(mapping: ObjectMapping, type: Type, properties: PropertyMap): Value {
    if (type.kind === "object" && !hasDynamic(type)) return valueOf(type, this.#slots(mapping, type, properties));
    const parts = new Map<string, Value>();
    this.#eachProperty(mapping, properties, (property, given) => parts.set(property.attribute, this.#property(property, given)));
    return conforming(objectOf(parts), type);
  }

  /** The payload of an object of a type without dynamic parts. */
  #slots(mapping: ObjectMapping, type: ObjectType, properties: PropertyMap): readonly Payload[] {
    const slots = type.names.map((): Payload => null);
    this.#eachProperty(mapping, properties, (property, given) => {
      if (given === undefined && property.block === undefined) return;
      slots[type.slots.get(property.attribute)!] = this.#propertyPayload(property, given);
    });
    return slots;
  }

  /** Converts each mapped property of an object, at its path. Reports the properties that a program cannot set. */
  #eachProperty(
    { properties: mapped, byProperty }: ObjectMapping,
    properties: PropertyMap,
    convertTo: (property: PropertyMapping, given: PropertyValue | undefined) => void,
  ): void {
    const isConfig = this.#scope.of === "config";
    let mappedCount = 0;
    for (const property of mapped) {
      const given = properties.get(property.property);
      if (given !== undefined) mappedCount += 1;
      const isExcluded = isConfig && !property.input;
      this.#path.push(property.property);
      if (isExcluded && (plain(given) ?? null) !== null) this.#problem("only the provider sets this property");
      convertTo(property, isExcluded ? undefined : given);
      this.#path.pop();
    }
    if (!isConfig || mappedCount === properties.size) return;
    for (const name of properties.keys()) {
      if (!byProperty.has(name) && !name.startsWith("__")) this.#at(name, () => this.#problem("the type has no such property"));
    }
  }

  #property(property: PropertyMapping, given: PropertyValue | undefined): Value {
    const value = plain(given) ?? null;
    return property.block !== undefined && value === null ? this.#absentBlock(property) : this.value(property.value, value);
  }

  #propertyPayload(property: PropertyMapping, given: PropertyValue | undefined): Payload {
    const value = plain(given) ?? null;
    return property.block !== undefined && value === null ? this.#absentBlock(property).payload : this.#payload(property.value, value);
  }

  #absentBlock({ value, block }: PropertyMapping): Value {
    if (block === "single") return nullOf(value.type);
    if (block === "group") return value.kind === "object" ? this.object(value.object, value.type, new Map()) : nullOf(value.type);
    return emptyCollection(value.type, value.kind === "map");
  }

  value(mapping: ValueMapping, given: PropertyValue): Value {
    if (!hasDynamic(mapping.type)) return valueOf(mapping.type, this.#payload(mapping, given));
    const value = plain(given) ?? null;
    if (value === null) return nullOf(mapping.type);
    if (isSpecialProperty(value)) return valueOf(mapping.type, this.#specialPayload(mapping, value));
    switch (mapping.kind) {
      case "list":
      case "set":
      case "tuple": {
        const elements = this.#elements(mapping, value, (element, part) => this.value(element, part));
        if (elements === undefined) return nullOf(mapping.type);
        if (mapping.kind === "tuple" || mapping.type.kind === "dynamic") return tupleOf(elements);
        return conforming(collection(mapping.kind, elements, mapping.type), mapping.type);
      }
      case "map": {
        const entries = this.#entries(mapping, value, (element, part) => this.value(element, part));
        if (entries === undefined) return nullOf(mapping.type);
        if (mapping.type.kind === "dynamic") return objectOf(new Map(entries));
        return entries.length === 0 ? emptyCollection(mapping.type, true) : conforming(objectOf(new Map(entries)), mapping.type);
      }
      case "object":
        return isPropertyMap(value)
          ? this.object(mapping.object, mapping.type, value)
          : valueOf(mapping.type, this.#mismatch(`expected an object, got ${nameOf(value)}`));
      case "only": {
        const element = this.value(mapping.element, value);
        const isDynamic = mapping.type.kind === "dynamic";
        return conforming(isDynamic ? tupleOf([element]) : collection(mapping.of, [element], mapping.type), mapping.type);
      }
      default:
        return this.#dynamic(value);
    }
  }

  /** The payload of a value of a type without dynamic parts. */
  #payload(mapping: ValueMapping, given: PropertyValue): Payload {
    if (typeof given === "string" && mapping.kind === "string") return normalizeString(given);
    if (typeof given === "number" && mapping.kind === "number" && Number.isSafeInteger(given) && !Object.is(given, -0)) return given;
    const value = plain(given) ?? null;
    if (value === null) return null;
    if (isSpecialProperty(value)) return this.#specialPayload(mapping, value);
    switch (mapping.kind) {
      case "list":
      case "set":
      case "tuple": {
        const elements = this.#elements(mapping, value, (element, part) => this.#payload(element, part));
        if (elements === undefined) return null;
        return mapping.kind === "set" ? setPayload(elementTypeOf(mapping.type), elements) : elements;
      }
      case "map": {
        const entries = this.#entries(mapping, value, (element, part) => this.#payload(element, part));
        return entries === undefined ? null : mapPayload(entries);
      }
      case "object":
        if (!isPropertyMap(value)) return this.#mismatch(`expected an object, got ${nameOf(value)}`);
        return this.#slots(mapping.object, mapping.type as ObjectType, value);
      case "only": {
        const element = this.#payload(mapping.element, value);
        return mapping.of === "set" ? setPayload(elementTypeOf(mapping.type), [element]) : [element];
      }
      default:
        return this.#primitive(mapping, value);
    }
  }

  #specialPayload(mapping: ValueMapping, value: SpecialProperty): Payload {
    if (value.kind === "unknown") return UNKNOWN;
    if (value.kind !== "resource" || mapping.kind !== "string") return this.#mismatch(`${nameOf(value)} cannot be used here`);
    return typeof value.id === "string" ? normalizeString(value.id) : UNKNOWN;
  }

  #primitive(mapping: ValueMapping, value: PropertyValue): Payload {
    const { kind } = mapping;
    if (typeof value === "string" && kind === "string") return normalizeString(value);
    if (typeof value === "boolean" && kind === "bool") return value;
    if (isPropertyArray(value) || isPropertyMap(value)) return this.#mismatch(`expected a ${friendly(kind)}, got ${nameOf(value)}`);
    if (kind === "number" && value === "") return null;
    try {
      const given = primitive(value as string | number | boolean);
      return given.type === mapping.type ? given.payload : convert(given, mapping.type).payload;
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      return this.#mismatch(`expected a ${friendly(kind)}: ${error.message}`);
    }
  }

  #dynamic(given: PropertyValue): Value {
    const value = plain(given) ?? null;
    if (value === null) return nullOf(dynamic);
    if (isPropertyArray(value)) return tupleOf(value.map((element, index) => this.#at(index, () => this.#dynamic(element))));
    if (isPropertyMap(value)) {
      const parts = [...value].map(([name, part]) => [normalizeString(name), this.#at(name, () => this.#dynamic(part))] as const);
      return objectOf(new Map(parts));
    }
    if (!isSpecialProperty(value)) return this.#dynamicPrimitive(value);
    return valueOf(dynamic, value.kind === "unknown" ? UNKNOWN : this.#mismatch(`${nameOf(value)} cannot be used here`));
  }

  #dynamicPrimitive(value: string | number | boolean): Value {
    try {
      return primitive(value);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      return valueOf(dynamic, this.#mismatch(error.message));
    }
  }

  /** Converts the elements of an array. Returns undefined, and reports the problem, for another value. */
  #elements<Part>(
    { kind, elements }: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>,
    value: PropertyValue,
    convertTo: (element: ValueMapping, value: PropertyValue) => Part,
  ): Part[] | undefined {
    const length = kind === "tuple" ? elements.length : undefined;
    if (!isPropertyArray(value) || (length !== undefined && value.length !== length)) {
      this.#problem(`expected an array${length === undefined ? "" : ` of ${length} elements`}, got ${nameOf(value)}`);
      return undefined;
    }
    return value.map((part, index) => {
      this.#path.push(index);
      const converted = convertTo(elements[kind === "tuple" ? index : 0]!, part);
      this.#path.pop();
      return converted;
    });
  }

  /** Converts the entries of an object. Returns undefined, and reports the problem, for another value. */
  #entries<Part>(
    { element }: Extract<ValueMapping, { readonly kind: "map" }>,
    value: PropertyValue,
    convertTo: (element: ValueMapping, value: PropertyValue) => Part,
  ): (readonly [string, Part])[] | undefined {
    if (isPropertyMap(value)) {
      const entries: (readonly [string, Part])[] = [];
      for (const [key, part] of value) {
        this.#path.push(key);
        entries.push([normalizeString(key), convertTo(element, part)]);
        this.#path.pop();
      }
      return entries;
    }
    this.#problem(`expected an object, got ${nameOf(value)}`);
    return undefined;
  }

  /** Converts a part with a longer path. */
  #at<Part>(step: string | number, convertTo: () => Part): Part {
    this.#path.push(step);
    const part = convertTo();
    this.#path.pop();
    return part;
  }

  #mismatch(reason: string): null {
    this.#problem(reason);
    return null;
  }

  #problem(reason: string): void {
    this.problems.push({ property: formatPropertyPath(this.#path), reason });
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
