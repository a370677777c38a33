// SPDX-License-Identifier: Apache-2.0
import type { FieldMapping, JsonObject, JsonValue, KindMapping, ObjectMapping, ValueMapping } from "@tenon/bridge/kubernetes";
import type { Random } from "@tenon/testing/generate";

/** Parameters with one fault. */
export interface FaultyParameters {
  readonly parameters: JsonObject;
  /** What is wrong. */
  readonly fault: FaultName;
  /** Path of the fault, as error texts have it. */
  readonly path: string;
}

export type FaultName = "wrong type" | "unknown field" | "missing field" | "too many elements" | "null element";

/** One place where parameters can be made faulty. */
interface Place {
  readonly fault: FaultName;
  readonly path: readonly (string | number)[];
  /** The value that replaces the one at the path; undefined removes it. */
  readonly value: JsonValue | undefined;
  /** How often this fault is chosen, in comparison with others. */
  readonly weight: number;
}

/** Makes one place of valid parameters faulty. */
export function faultyParameters(random: Random, { fields }: Pick<KindMapping, "fields">, valid: JsonObject): FaultyParameters {
  const places: Place[] = [];
  objectPlaces(fields, valid, [], places);
  const place = random.weighted(places.map((one) => [one.weight, one] as const));
  const parameters = replaced(valid, place.path, place.value) as JsonObject;
  return { parameters, fault: place.fault, path: pathText(place.path) };
}

function objectPlaces(mapping: ObjectMapping, json: JsonObject, path: Place["path"], places: Place[]): void {
  places.push({ fault: "unknown field", path: [...path, "unknownField"], value: "x", weight: 1 });
  for (const [name, field] of mapping.byParameter) {
    const value = Object.hasOwn(json, name) ? json[name]! : null;
    if (value === null) continue;
    if (field.parameter === "required") places.push({ fault: "missing field", path: [...path, name], value: undefined, weight: 4 });
    fieldPlaces(field, name, value, path, places);
  }
}

function fieldPlaces(field: FieldMapping, name: string, value: JsonValue, path: Place["path"], places: Place[]): void {
  const at = [...path, name];
  if (field.secretName === name) {
    places.push(
      { fault: "wrong type", path: at, value: "plain", weight: 2 },
      { fault: "missing field", path: [...at, "key"], value: undefined, weight: 1 },
    );
    return;
  }
  const isSet = field.value.kind === "set";
  if (field.maxItems > 0 && Array.isArray(value) && value.length > 0 && !isSet) {
    const elements = Array.from({ length: field.maxItems + 1 }, () => (value as readonly JsonValue[])[0]!);
    places.push({ fault: "too many elements", path: at, value: elements, weight: 4 });
  }
  valuePlaces(field.value, value, at, places);
}

function valuePlaces(mapping: ValueMapping, value: JsonValue, path: Place["path"], places: Place[]): void {
  if (value === null || mapping.kind === "dynamic") return;
  places.push({ fault: "wrong type", path, value: wrongValue(mapping), weight: 2 });
  if (mapping.kind === "object") objectPlaces(mapping.object, value as JsonObject, path, places);
  if (mapping.kind === "map") {
    for (const [key, element] of Object.entries(value as JsonObject)) valuePlaces(mapping.element, element, [...path, key], places);
  }
  if (mapping.kind === "list" || mapping.kind === "set") {
    for (const [index, element] of (value as readonly JsonValue[]).entries()) {
      valuePlaces(mapping.elements[0]!, element, [...path, index], places);
    }
  }
  if (mapping.kind === "set" && (mapping.elements[0]!.kind === "string" || mapping.elements[0]!.kind === "number")) {
    places.push({ fault: "null element", path, value: [null], weight: 1 });
  }
}

function wrongValue(mapping: ValueMapping): JsonValue {
  switch (mapping.kind) {
    case "string":
      return 7;
    case "number":
    case "bool":
      return "text";
    case "list":
    case "set":
    case "tuple":
      return { a: 1 };
    default:
      return ["text"];
  }
}

function replaced(json: JsonValue | undefined, [step, ...rest]: Place["path"], value: JsonValue | undefined): JsonValue | undefined {
  if (step === undefined) return value;
  if (typeof step === "number")
    return (json as readonly JsonValue[]).map((part, index) => (index === step ? replaced(part, rest, value)! : part));
  const entries = Object.entries((json ?? {}) as JsonObject).filter(([name]) => name !== step);
  const changed = replaced(Object.hasOwn((json ?? {}) as JsonObject, step) ? (json as JsonObject)[step] : undefined, rest, value);
  return Object.fromEntries(changed === undefined ? entries : [...entries, [step, changed]]);
}

/** Path in the texts of the API server and of this package: both write keys that are no identifiers differently, so that they end it. */
function pathText(path: Place["path"]): string {
  let text = "spec.forProvider";
  for (const step of path) {
    if (typeof step === "string" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) break;
    text += typeof step === "number" ? `[${step}]` : `.${step}`;
  }
  return text;
}
