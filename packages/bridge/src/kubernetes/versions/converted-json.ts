// SPDX-License-Identifier: Apache-2.0
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { FieldMoves } from "../mapping/resource-rules.ts";
import { type FieldPath, type FieldProblem, formatFieldPath } from "../values/field-path.ts";
import { isJsonArray, isJsonNumber, isJsonObject, jsonText, type JsonObject, type JsonValue } from "../values/json-value.ts";

/** The result of a conversion. It lacks the values that cannot be converted. */
export interface ConvertedJson {
  readonly json: JsonObject;
  readonly problems: readonly FieldProblem[];
}

/**
 * Converts parameters to a later schema: numbers and booleans to strings and back, a value to a list of one element and back, an object to a
 * map. A value that cannot be converted without loss is a problem.
 *
 * @param path - Path of the parameters in their object, for the problems.
 */
export function convertedParameters(schema: StructuralSchema, json: JsonObject, path: FieldPath, moves: FieldMoves = {}): ConvertedJson {
  const conversion = new Conversion();
  const moved = movedFields(json, moves, path, conversion.problems);
  const converted = conversion.value(schema, moved, path);
  return { json: isJsonObject(converted) ? converted : {}, problems: conversion.problems };
}

class Conversion {
  readonly problems: FieldProblem[] = [];

  value(schema: StructuralSchema, json: JsonValue, path: FieldPath): JsonValue | undefined {
    if (json === null) return null;
    switch (schema.type) {
      case "string":
      case "number":
      case "integer":
      case "boolean":
        return this.#scalar(schema.type, json, path);
      case "array":
        return this.#array(schema, json, path);
      case "object":
        return this.#object(schema, json, path);
      default:
        return json;
    }
  }

  #scalar(type: "string" | "number" | "integer" | "boolean", json: JsonValue, path: FieldPath): JsonValue | undefined {
    const value = onlyElement(json);
    if (type === "string") {
      if (typeof value === "string") return value;
      if (isJsonNumber(value) || typeof value === "boolean") return String(value);
    } else if (type === "boolean") {
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
    } else {
      if (isJsonNumber(value)) return value;
      // A string such as 007 has another text as a number, and NaN has none in JSON.
      if (typeof value === "string" && Number.isFinite(Number(value)) && String(Number(value)) === value) return Number(value);
    }
    return this.#problem(path, `cannot be converted to a ${type}`);
  }

  #array(schema: StructuralSchema, json: JsonValue, path: FieldPath): JsonValue | undefined {
    const { items = {}, minItems = 0, maxItems = Infinity } = schema;
    const isWrapped = !isJsonArray(json);
    const array: readonly JsonValue[] = isWrapped ? [json] : json;
    const converted = array.map((element, index) => this.value(items, element, isWrapped ? path : [...path, index]));
    const elements = converted.filter((element) => element !== undefined);
    const isSet = schema["x-kubernetes-list-type"] === "set";
    const distinct = isSet ? [...new Map(elements.map((element) => [jsonText(element), element])).values()] : elements;
    if (distinct.length < minItems) return this.#problem(path, `needs at least ${minItems} elements`);
    return distinct.length > maxItems ? this.#problem(path, `can have at most ${maxItems} elements`) : distinct;
  }

  #object(schema: StructuralSchema, json: JsonValue, path: FieldPath): JsonValue | undefined {
    const value = onlyElement(json);
    if (!isJsonObject(value)) return this.#problem(path, "cannot be converted to an object");
    const { properties = {}, required = [], additionalProperties } = schema;
    const entries: [string, JsonValue][] = [];
    for (const [name, part] of Object.entries(value)) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      const partPath = [...path, name];
      if (inner === undefined) {
        if (schema["x-kubernetes-preserve-unknown-fields"]) entries.push([name, part]);
        else if (part !== null) this.#problem(partPath, "is removed, and the object sets it");
        continue;
      }
      const converted = this.value(inner, part, partPath);
      if (converted !== undefined) entries.push([name, converted]);
    }
    const result: JsonObject = Object.fromEntries(entries);
    for (const name of required)
      if (!Object.hasOwn(result, name)) this.#problem([...path, name], "is required, and the object does not set it");
    return result;
  }

  #problem(path: FieldPath, reason: string): undefined {
    this.problems.push({ path: formatFieldPath(path), reason });
    return undefined;
  }
}

/** The element of an array of one element; any other value unchanged. */
function onlyElement(json: JsonValue): JsonValue {
  return isJsonArray(json) && json.length === 1 ? json[0]! : json;
}

function movedFields(json: JsonObject, { renamed = {}, removed = [] }: FieldMoves, path: FieldPath, problems: FieldProblem[]): JsonObject {
  let result = json;
  for (const name of removed) result = withoutField(result, name.split("."));
  for (const [from, to] of Object.entries(renamed)) result = renamedField(result, from.split("."), to.split("."), path, problems);
  return result;
}

/** Renames the field at the end of a path. The paths must differ only in their last step. */
function renamedField(
  json: JsonObject,
  from: readonly string[],
  to: readonly string[],
  path: FieldPath,
  problems: FieldProblem[],
): JsonObject {
  const [oldName, newName] = [from.at(-1)!, to.at(-1)!];
  return changedObject(json, from.slice(0, -1), (object) => {
    if (!Object.hasOwn(object, oldName)) return object;
    const { [oldName]: value, ...rest } = object;
    if (Object.hasOwn(rest, newName)) {
      problems.push({ path: formatFieldPath([...path, ...to]), reason: `is set, and ${from.join(".")} would replace it` });
      return object;
    }
    return { ...rest, [newName]: value! };
  });
}

function withoutField(json: JsonObject, steps: readonly string[]): JsonObject {
  const name = steps.at(-1)!;
  return changedObject(json, steps.slice(0, -1), (object) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => field !== name)),
  );
}

/** Changes the objects at a path, in all elements of the arrays along it. */
function changedObject(json: JsonObject, [step, ...rest]: readonly string[], change: (object: JsonObject) => JsonObject): JsonObject {
  if (step === undefined) return change(json);
  if (!Object.hasOwn(json, step)) return json;
  const inside = (value: JsonValue): JsonValue => (isJsonObject(value) ? changedObject(value, rest, change) : value);
  const value = json[step]!;
  return { ...json, [step]: isJsonArray(value) ? value.map(inside) : inside(value) };
}
