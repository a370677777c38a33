// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, hasDynamic, listOf, mapOf, nullOf, objectOf, of, setOf, string, tupleOf, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import { impliedType } from "@tenon/schema";
import type { FieldMapping, KindMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { type FieldPath, type FieldProblem, formatFieldPath } from "./field-path.ts";
import { numberValue } from "./json-number.ts";
import { fieldOf, isJsonArray, isJsonNumber, isJsonObject, type JsonObject, type JsonValue, parseExactJson } from "./json-value.ts";
import { readSecretKeyReference, type SecretKeyReference } from "./secret-reference.ts";
import { attributeOf } from "../../value-parts.ts";

/** The sources of the configuration of a resource. */
export interface ParameterSource {
  /** `spec.forProvider`. */
  readonly forProvider: JsonObject;
  /** `spec.initProvider`. Its objects are merged into those of `forProvider`; if both set a field, `forProvider` has precedence. */
  readonly initProvider?: JsonObject;
  /** The external name. Used only for kinds whose external name is an argument. */
  readonly externalName?: string;
  /**
   * The state of the resource, if it exists. Fields that only `initProvider` sets get their values from it, so that later changes of
   * `initProvider` and of the resource cause no update.
   */
  readonly state?: Value;
  /** Returns the text under a key of a Secret; undefined if the Secret or the key does not exist. */
  readonly secret: (reference: SecretKeyReference) => string | undefined;
}

/** The configuration of a resource. Values with problems are null. */
export interface Parameters {
  readonly value: Value;
  readonly problems: readonly FieldProblem[];
}

/**
 * Converts the parameters of a custom resource to the configuration that the provider validates and plans. References to other resources must
 * be resolved before: the fields that they stand for have their values.
 */
export function configurationOf({ fields, schema, rules }: KindMapping, source: ParameterSource): Parameters {
  const conversion = new Conversion(source.secret);
  const externalName = rules.externalName?.isArgument === true ? source.externalName : undefined;
  const named = externalName === undefined ? [] : [[rules.externalName?.attribute ?? "id", of(string, externalName)] as const];
  const position: Position = {
    forProvider: source.forProvider,
    initProvider: source.initProvider,
    state: source.state,
    path: [],
  };
  const value = conversion.object(fields, impliedType(schema.block), position, new Map(named));
  return { value, problems: conversion.problems };
}

/** Converts one value, such as a default. `path` is its place, for problems. */
export function valueFromJson(
  mapping: ValueMapping,
  json: JsonValue,
  path: FieldPath,
  secret: ParameterSource["secret"] = () => undefined,
): Parameters {
  const conversion = new Conversion(secret);
  return { value: conversion.value(mapping, json, path), problems: conversion.problems };
}

/** Converts one value that holds its secrets itself, as the text of a Secret does. */
export function plainValueFromJson(mapping: ValueMapping, json: JsonValue, path: FieldPath): Parameters {
  const conversion = new Conversion(undefined);
  return { value: conversion.value(mapping, json, path), problems: conversion.problems };
}

/** The same object in both parts of the spec and in the state. */
interface Position {
  readonly forProvider: JsonObject | undefined;
  readonly initProvider: JsonObject | undefined;
  readonly state: Value | undefined;
  /** Path below `spec.forProvider` or `spec.initProvider`. */
  readonly path: FieldPath;
}

class Conversion {
  readonly problems: FieldProblem[] = [];
  /** Undefined inside the JSON of a secret, which contains no references. */
  readonly #secret: ParameterSource["secret"] | undefined;

  constructor(secret: ParameterSource["secret"] | undefined) {
    this.#secret = secret;
  }

  #nameOf(field: FieldMapping): string {
    return (this.#secret && field.secretName) ?? field.name;
  }

  object(mapping: ObjectMapping, type: Type, position: Position, fixed: ReadonlyMap<string, Value> = new Map()): Value {
    const parts = new Map<string, Value>();
    for (const field of mapping.fields) parts.set(field.attribute, fixed.get(field.attribute) ?? this.#field(field, position));
    this.#reportUnknownFields(mapping, position);
    return conforming(objectOf(parts), type);
  }

  #field(field: FieldMapping, position: Position): Value {
    if (field.parameter === "absent") return absent(field);
    const name = this.#nameOf(field);
    const path = [...position.path, name];
    const given = fieldOf(position.forProvider, name) ?? null;
    const initial = fieldOf(position.initProvider, name) ?? null;
    if (field.secretName === undefined && field.value.kind === "object" && isJsonObject(given) && isJsonObject(initial)) {
      const state = position.state && attributeOf(position.state, field.attribute);
      return this.object(field.value.object, field.value.type, { forProvider: given, initProvider: initial, state, path });
    }
    if (given !== null) return this.#configured(field, given, ["spec", "forProvider", ...path]);
    if (initial === null) return absent(field);
    const kept = position.state && attributeOf(position.state, field.attribute);
    return kept ?? this.#configured(field, initial, ["spec", "initProvider", ...path]);
  }

  #configured(field: FieldMapping, json: JsonValue, path: FieldPath): Value {
    if (this.#secret === undefined || field.secretName === undefined) return this.value(field.value, json, path);
    return this.#secretValue(field.value, json, path, this.#secret);
  }

  /** Reads a value from a key of a Secret: a string as it is, any other value from JSON. */
  #secretValue(mapping: ValueMapping, json: JsonValue, path: FieldPath, secret: ParameterSource["secret"]): Value {
    const reference = readSecretKeyReference(json);
    if (reference === undefined) return this.#problem(mapping, path, "must be a reference to a key of a Secret, with `name` and `key`");
    const text = secret(reference);
    if (text === undefined) return this.#problem(mapping, path, `the Secret ${reference.name} or its key ${reference.key} does not exist`);
    if (mapping.kind === "string") return this.value(mapping, text, path);
    let parsed: JsonValue;
    try {
      parsed = parseExactJson(text);
    } catch {
      // The error of the parser contains a part of the secret.
      return this.#problem(mapping, path, `the key ${reference.key} of the Secret ${reference.name} must contain JSON`);
    }
    const inside = new Conversion(undefined);
    const value = inside.value(mapping, parsed, path);
    // A path inside the secret is a part of the secret, and is not reported.
    const place = `the key ${reference.key} of the Secret ${reference.name}`;
    for (const { reason } of inside.problems) this.#report(path, `has an invalid value in ${place}: it ${reason}`);
    return value;
  }

  /** Converts a value of one part of the spec. */
  value(mapping: ValueMapping, json: JsonValue, path: FieldPath): Value {
    if (json === null) return nullOf(mapping.type);
    switch (mapping.kind) {
      case "string":
        return typeof json === "string" ? of(string, json) : this.#mismatch(mapping, "a string", json, path);
      case "bool":
        return typeof json === "boolean" ? of(bool, json) : this.#mismatch(mapping, "a boolean", json, path);
      case "number":
        return isJsonNumber(json) ? numberValue(json) : this.#mismatch(mapping, "a number", json, path);
      case "dynamic":
        return dynamicValue(json);
      case "list":
      case "set":
        return this.#sequence(mapping, json, path);
      case "tuple":
        return this.#tuple(mapping, json, path);
      case "map":
        return this.#map(mapping, json, path);
      default:
        return isJsonObject(json)
          ? this.#objectOfOnePart(mapping.object, mapping.type, json, path)
          : this.#mismatch(mapping, "an object", json, path);
    }
  }

  /** Converts an object that only one part of the spec has. */
  #objectOfOnePart(mapping: ObjectMapping, type: Type, json: JsonObject, path: FieldPath): Value {
    const parts = new Map<string, Value>();
    for (const field of mapping.fields) {
      const name = this.#nameOf(field);
      const given = field.parameter === "absent" ? null : (fieldOf(json, name) ?? null);
      parts.set(field.attribute, given === null ? absent(field) : this.#configured(field, given, [...path, name]));
    }
    this.#checkNames(mapping, json, path);
    return conforming(objectOf(parts), type);
  }

  #sequence(mapping: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>, json: JsonValue, path: FieldPath): Value {
    if (!isJsonArray(json)) return this.#mismatch(mapping, "an array", json, path);
    const elements = json.map((element, index) => this.value(mapping.elements[0]!, element, [...path, index]));
    if (mapping.type.kind === "dynamic") return tupleOf(elements);
    const { type } = mapping;
    if (elements.length === 0) return valueOf(type, []);
    // Elements of a dynamic type may have different types. The conversion finds their common type.
    if (hasDynamic(type)) return this.#unified(mapping, tupleOf(elements), path);
    const elementType = (type as Extract<Type, { readonly kind: "list" | "set" }>).element;
    return mapping.kind === "set" ? setOf(elements, elementType) : listOf(elements, elementType);
  }

  #tuple(mapping: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>, json: JsonValue, path: FieldPath): Value {
    const { length } = mapping.elements;
    if (!isJsonArray(json) || json.length !== length) return this.#mismatch(mapping, `an array of ${length} elements`, json, path);
    return tupleOf(json.map((element, index) => this.value(mapping.elements[index]!, element, [...path, index])));
  }

  #map(mapping: Extract<ValueMapping, { readonly kind: "map" }>, json: JsonValue, path: FieldPath): Value {
    if (!isJsonObject(json)) return this.#mismatch(mapping, "an object", json, path);
    const entries = Object.entries(json).map(
      ([key, element]) => [normalizeString(key), this.value(mapping.element, element, [...path, key])] as const,
    );
    if (mapping.type.kind === "dynamic") return objectOf(new Map(entries));
    if (entries.length === 0) return valueOf(mapping.type, new Map());
    if (hasDynamic(mapping.type)) return this.#unified(mapping, objectOf(new Map(entries)), path);
    return mapOf(new Map(entries), (mapping.type as Extract<Type, { readonly kind: "map" }>).element);
  }

  /** Converts elements of a dynamic type to their common type. */
  #unified(mapping: ValueMapping, value: Value, path: FieldPath): Value {
    try {
      return convert(value, mapping.type);
    } catch {
      return this.#problem(mapping, path, "must have elements with a common type");
    }
  }

  /** Reports fields of both parts that the type lacks or that only the provider sets. */
  #reportUnknownFields(mapping: ObjectMapping, { forProvider = {}, initProvider = {}, path }: Position): void {
    this.#checkNames(mapping, forProvider, ["spec", "forProvider", ...path]);
    this.#checkNames(mapping, initProvider, ["spec", "initProvider", ...path]);
  }

  #checkNames(mapping: ObjectMapping, json: JsonObject, path: FieldPath): void {
    const isSecret = this.#secret === undefined;
    const allowed = isSecret
      ? new Set(mapping.fields.filter(({ parameter }) => parameter !== "absent").map(({ name }) => name))
      : new Set([...mapping.byParameter.keys(), ...mapping.referenceNames]);
    for (const name of Object.keys(json)) {
      if (allowed.has(name)) continue;
      const isReadOnly = mapping.byObservation.has(name);
      this.#report([...path, name], isReadOnly ? "can be set only by the provider" : "is not a field of the type");
    }
  }

  #mismatch(mapping: ValueMapping, expected: string, json: JsonValue, path: FieldPath): Value {
    return this.#problem(mapping, path, `must be ${expected}, but is ${nameOf(json)}`);
  }

  #problem(mapping: ValueMapping, path: FieldPath, reason: string): Value {
    this.#report(path, reason);
    return nullOf(mapping.type);
  }

  #report(path: FieldPath, reason: string): void {
    this.problems.push({ path: formatFieldPath(path), reason });
  }
}

/** The value of a field that is not set: null for an attribute or a single block, an empty collection for another block. */
function absent({ block, value }: FieldMapping): Value {
  if (block === undefined || block === "single") return nullOf(value.type);
  if (block === "group" && value.kind === "object") {
    return conforming(objectOf(new Map(value.object.fields.map((field) => [field.attribute, absent(field)]))), value.type);
  }
  if (value.type.kind === "dynamic") return value.kind === "map" ? objectOf(new Map()) : tupleOf([]);
  return valueOf(value.type, value.kind === "map" ? new Map() : []);
}

/** Converts JSON without a type. As in a configuration of the CLIs, an array becomes a tuple, and an object becomes an object. */
function dynamicValue(json: JsonValue): Value {
  if (json === null) return nullOf(dynamic);
  if (typeof json === "string") return of(string, json);
  if (typeof json === "boolean") return of(bool, json);
  if (isJsonNumber(json)) return numberValue(json);
  if (isJsonArray(json)) return tupleOf(json.map(dynamicValue));
  return objectOf(new Map(Object.entries(json).map(([name, part]) => [normalizeString(name), dynamicValue(part)])));
}

/** Converts a value to the type if the type has dynamic parts. Otherwise the value is of the type already. */
function conforming(value: Value, type: Type): Value {
  return value.type === type || type.kind === "dynamic" ? value : convert(value, type);
}

function nameOf(json: JsonValue): string {
  if (json === null) return "null";
  if (isJsonArray(json)) return "an array";
  if (isJsonObject(json)) return "an object";
  return typeof json === "string" ? "a string" : typeof json === "boolean" ? "a boolean" : "a number";
}
