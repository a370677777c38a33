// SPDX-License-Identifier: Apache-2.0
import { type BigFloat, isNull, type Value } from "@tenon/cty";
import { isNumberPayload, isUnknownPayload } from "@tenon/cty/unstable/payload";
import { BridgeError } from "../../error.ts";
import type { FieldMapping, KindMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { type FieldPath, formatFieldPath } from "./field-path.ts";
import { jsonNumber } from "./json-number.ts";
import { jsonText, type JsonObject, type JsonValue } from "./json-value.ts";
import type { SecretKeyReference } from "./secret-reference.ts";
import { attributeOf, elementsOf, entriesOf } from "../../value-parts.ts";

/** The state of a resource as JSON. */
export interface Observation {
  /** `status.atProvider`. */
  readonly atProvider: JsonObject;
  /** Paths of numbers that the API server cannot store exactly. Here they are the nearest doubles; the stored state has them exactly. */
  readonly inexact: readonly string[];
}

/**
 * Converts the state of a resource to `status.atProvider`. Null attributes, empty blocks and secrets are left out.
 *
 * @throws BridgeError `INVALID_STATE` if a value is unknown.
 */
export function observationOf({ fields }: KindMapping, state: Value): Observation {
  const conversion = new Conversion("observation");
  const atProvider = conversion.object(fields, state, ["status", "atProvider"]);
  return { atProvider, inexact: conversion.inexact.map(formatFieldPath) };
}

/** The configuration of a resource as JSON. */
export interface ParameterJson {
  /** `spec.forProvider`. */
  readonly forProvider: JsonObject;
  /** Paths of numbers that the API server cannot store exactly. Here they are the nearest doubles. */
  readonly inexact: readonly string[];
}

/** Stores the text of a sensitive value under a key of a Secret, and returns the reference to the key. */
export type SecretStore = (path: string, text: string) => SecretKeyReference;

/**
 * Converts the configuration of a resource to `spec.forProvider`, for example to adopt an existing resource. Attributes that only the provider
 * sets are left out. A sensitive value becomes a reference to the key of a Secret; a string is stored as it is, any other value as JSON.
 *
 * @throws BridgeError `INVALID_STATE` if a value is unknown.
 */
export function parametersOf({ fields }: Pick<KindMapping, "fields">, configuration: Value, store: SecretStore): ParameterJson {
  const conversion = new Conversion("parameters", store);
  const forProvider = conversion.object(fields, configuration, ["spec", "forProvider"]);
  return { forProvider, inexact: conversion.inexact.map(formatFieldPath) };
}

/** One value as JSON. `inexact` has the paths of numbers that the API server cannot store exactly. */
export function jsonOf(
  mapping: ValueMapping,
  value: Value,
  path: FieldPath,
): { readonly json: JsonValue; readonly inexact: readonly string[] } {
  const conversion = new Conversion("observation");
  return { json: conversion.value(mapping, value, path), inexact: conversion.inexact.map(formatFieldPath) };
}

/** The target of a conversion: `status.atProvider`, `spec.forProvider`, or the text of a secret, which has all fields. */
type Target = "observation" | "parameters" | "secret";

function fieldsOf(mapping: ObjectMapping, target: Target): Iterable<readonly [string, FieldMapping]> {
  if (target === "secret") return mapping.fields.map((field) => [field.name, field] as const);
  return target === "observation" ? mapping.byObservation : mapping.byParameter;
}

class Conversion {
  readonly inexact: FieldPath[] = [];
  readonly #target: Target;
  readonly #store: SecretStore | undefined;

  constructor(target: Target, store?: SecretStore) {
    this.#target = target;
    this.#store = store;
  }

  object(mapping: ObjectMapping, value: Value, path: FieldPath): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const [name, field] of fieldsOf(mapping, this.#target)) {
      const given = attributeOf(value, field.attribute);
      if (given === undefined || isNull(given)) continue;
      const json = this.#field(name, field, given, [...path, name]);
      // An absent block is null if its nesting is single; otherwise it is an empty collection.
      if (field.block === undefined || field.block === "single" || !isEmpty(json)) entries.push([name, json]);
    }
    return Object.fromEntries(entries);
  }

  #field(name: string, field: FieldMapping, value: Value, path: FieldPath): JsonValue {
    if (this.#store === undefined || field.secretName !== name) return this.value(field.value, value, path);
    // A text such as 7 of a dynamic type would be read as a number.
    const text = field.value.kind === "dynamic" ? jsonText(secretJson(field.value, value)) : secretText(field.value, value);
    return { ...this.#store(formatFieldPath(path), text) };
  }

  value(mapping: ValueMapping, value: Value, path: FieldPath): JsonValue {
    const { type, payload } = value;
    if (isUnknownPayload(payload)) throw new BridgeError("INVALID_STATE", `the value of ${formatFieldPath(path)} is unknown`);
    if (payload === null) return null;
    if (typeof payload === "string" || typeof payload === "boolean") return payload;
    if (isNumberPayload(payload)) return this.#number(payload, path);
    switch (mapping.kind) {
      case "object":
        return this.object(mapping.object, value, path);
      case "list":
      case "set":
        return elementsOf(value).map((element, index) => this.value(mapping.elements[0]!, element, [...path, index]));
      case "tuple":
        return elementsOf(value).map((element, index) => this.value(mapping.elements[index]!, element, [...path, index]));
      case "map":
        return Object.fromEntries(entriesOf(value).map(([key, element]) => [key, this.value(mapping.element, element, [...path, key])]));
      default:
        return type.kind === "object" || type.kind === "map"
          ? Object.fromEntries(entriesOf(value).map(([key, element]) => [key, this.value(mapping, element, [...path, key])]))
          : elementsOf(value).map((element, index) => this.value(mapping, element, [...path, index]));
    }
  }

  #number(payload: number | BigFloat, path: FieldPath): number | bigint | BigFloat {
    const { json, isExact } = jsonNumber(payload);
    if (isExact) return json;
    // The API server does not parse the text of a Secret.
    if (this.#target === "secret") return payload;
    this.inexact.push(path);
    return json;
  }
}

/** The text of a sensitive value: a string as it is, any other value as JSON. */
export function secretText(mapping: ValueMapping, value: Value): string {
  return typeof value.payload === "string" ? value.payload : jsonText(secretJson(mapping, value));
}

function secretJson(mapping: ValueMapping, value: Value): JsonValue {
  return new Conversion("secret").value(mapping, value, []);
}

/** Whether the JSON of a block is an empty array or object, which means the same as an absent block. */
function isEmpty(json: JsonValue): boolean {
  return Array.isArray(json) ? json.length === 0 : typeof json === "object" && json !== null && Object.keys(json).length === 0;
}
