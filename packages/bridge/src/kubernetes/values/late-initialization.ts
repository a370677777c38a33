// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import type { FieldMapping, KindMapping, ObjectMapping } from "../mapping/mapping.ts";
import { fieldOf, isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { jsonOf } from "./observation.ts";
import { attributeOf } from "../../value-parts.ts";

/**
 * Returns what `spec.forProvider` lacks of the values that the provider has chosen, as a merge patch for it; undefined when it lacks nothing.
 *
 * Fields are taken that the provider may set and neither part of the spec sets, at any depth of objects that the spec has. Secrets, the
 * external name, fields of the rule `skipLateInitialization`, and numbers that the API server cannot keep are left out. Lists are complete,
 * and never amended.
 */
export function lateInitialization(
  { fields, rules }: KindMapping,
  { forProvider, initProvider }: { readonly forProvider: JsonObject; readonly initProvider?: JsonObject },
  state: Value,
): JsonObject | undefined {
  // The annotation holds the external name. The legacy SDK refuses a configured `id`, although its schema says that it is optional.
  const skipped = new Set([...(rules.skipLateInitialization ?? []), rules.externalName?.attribute ?? "id"]);
  return missing(fields, { forProvider, initProvider }, state, "", skipped);
}

/** An object in both parts of the spec. */
interface Spec {
  readonly forProvider: JsonObject | undefined;
  readonly initProvider: JsonObject | undefined;
}

function missing(mapping: ObjectMapping, spec: Spec, state: Value, path: string, skipped: ReadonlySet<string>): JsonObject | undefined {
  const entries: [string, JsonValue][] = [];
  for (const field of mapping.fields) {
    const fieldPath = path === "" ? field.attribute : `${path}.${field.attribute}`;
    const value = attributeOf(state, field.attribute);
    if (field.parameter === "absent" || field.secretName !== undefined || value === undefined || isNull(value)) continue;
    if (skipped.has(fieldPath)) continue;
    const json = missingField(field, spec, value, fieldPath, skipped);
    if (json !== undefined) entries.push([field.name, json]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function missingField(field: FieldMapping, spec: Spec, value: Value, path: string, skipped: ReadonlySet<string>): JsonValue | undefined {
  const given = fieldOf(spec.forProvider, field.name) ?? undefined;
  const initial = fieldOf(spec.initProvider, field.name) ?? undefined;
  if (field.value.kind === "object" && isJsonObject(given)) {
    return missing(
      field.value.object,
      { forProvider: given, initProvider: isJsonObject(initial) ? initial : undefined },
      value,
      path,
      skipped,
    );
  }
  const isReferred = field.reference && [field.reference.referenceName, field.reference.selectorName].some((name) => isSet(spec, name));
  if (given !== undefined || initial !== undefined || isReferred || !field.isComputed) return undefined;
  const { json, inexact } = parameterJson(field, value);
  return inexact.length > 0 || json === undefined ? undefined : json;
}

function isSet({ forProvider, initProvider }: Spec, name: string): boolean {
  return (fieldOf(forProvider, name) ?? fieldOf(initProvider, name) ?? null) !== null;
}

/** A value as `spec` may hold it: without the fields that only the provider sets. Undefined if it has secrets, which a spec cannot hold. */
function parameterJson(field: FieldMapping, value: Value): { readonly json: JsonValue | undefined; readonly inexact: readonly string[] } {
  if (hasSecrets(field.value)) return { json: undefined, inexact: [] };
  const { json, inexact } = jsonOf(field.value, value, [field.name]);
  return { json: configurable(field.value, json), inexact };
}

type Mapping = FieldMapping["value"];

function hasSecrets(mapping: Mapping): boolean {
  if (mapping.kind === "object") {
    return mapping.object.fields.some(({ secretName, value }) => secretName !== undefined || hasSecrets(value));
  }
  if (mapping.kind === "map") return hasSecrets(mapping.element);
  return mapping.kind === "list" || mapping.kind === "set" ? hasSecrets(mapping.elements[0]!) : false;
}

function configurable(mapping: Mapping, json: JsonValue): JsonValue {
  if (mapping.kind === "object" && isJsonObject(json)) {
    const fields = mapping.object.byParameter;
    const kept = Object.entries(json).filter(([name]) => fields.has(name));
    return Object.fromEntries(kept.map(([name, part]) => [name, configurable(fields.get(name)!.value, part)]));
  }
  if (mapping.kind === "map" && isJsonObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, configurable(mapping.element, part)]));
  }
  if ((mapping.kind === "list" || mapping.kind === "set") && Array.isArray(json)) {
    return (json as readonly JsonValue[]).map((part) => configurable(mapping.elements[0]!, part));
  }
  return json;
}
