// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import type { FieldMapping, KindMapping, ObjectMapping } from "../mapping/mapping.ts";
import { fieldOf, isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { jsonOf } from "./observation.ts";
import { attributeOf } from "../../value-parts.ts";

/**
 * Returns a merge patch that adds values which the provider has chosen to `spec.forProvider`; undefined if there is nothing to add.
 *
 * It adds fields that the provider may set and that neither part of the spec sets, also in nested objects that the spec has. It leaves out
 * secrets, the external name, fields of the rule `skipLateInitialization`, and numbers that the API server cannot store exactly. It never adds to
 * a list of the spec, because a list is always complete.
 */
export function lateInitialization(
  { fields, rules }: KindMapping,
  { forProvider, initProvider }: { readonly forProvider: JsonObject; readonly initProvider?: JsonObject },
  state: Value,
): JsonObject | undefined {
  // The external name is in an annotation. Providers of the legacy SDK reject a configured `id`, although their schemas say that it is optional.
  const skipped = new Set([...(rules.skipLateInitialization ?? []), rules.externalName?.attribute ?? "id"]);
  return missingFields(fields, { forProvider, initProvider }, state, "", skipped);
}

/** The same object in both parts of the spec. */
interface Spec {
  readonly forProvider: JsonObject | undefined;
  readonly initProvider: JsonObject | undefined;
}

function missingFields(
  mapping: ObjectMapping,
  spec: Spec,
  state: Value,
  path: string,
  skipped: ReadonlySet<string>,
): JsonObject | undefined {
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
    return missingFields(
      field.value.object,
      { forProvider: given, initProvider: isJsonObject(initial) ? initial : undefined },
      value,
      path,
      skipped,
    );
  }
  const hasReference = field.reference && [field.reference.referenceName, field.reference.selectorName].some((name) => isSet(spec, name));
  if (given !== undefined || initial !== undefined || hasReference || !field.isComputed) return undefined;
  const { json, inexact } = parameterJson(field, value);
  return inexact.length > 0 || json === undefined ? undefined : json;
}

function isSet({ forProvider, initProvider }: Spec, name: string): boolean {
  return (fieldOf(forProvider, name) ?? fieldOf(initProvider, name) ?? null) !== null;
}

/** A value in the form of `spec`, without the fields that only the provider sets. Undefined if it contains secrets, which a spec must not. */
function parameterJson(field: FieldMapping, value: Value): { readonly json: JsonValue | undefined; readonly inexact: readonly string[] } {
  if (hasSecrets(field.value)) return { json: undefined, inexact: [] };
  const { json, inexact } = jsonOf(field.value, value, [field.name]);
  return { json: withoutReadOnlyFields(field.value, json), inexact };
}

type Mapping = FieldMapping["value"];

function hasSecrets(mapping: Mapping): boolean {
  if (mapping.kind === "object") {
    return mapping.object.fields.some(({ secretName, value }) => secretName !== undefined || hasSecrets(value));
  }
  if (mapping.kind === "map") return hasSecrets(mapping.element);
  return mapping.kind === "list" || mapping.kind === "set" ? hasSecrets(mapping.elements[0]!) : false;
}

function withoutReadOnlyFields(mapping: Mapping, json: JsonValue): JsonValue {
  if (mapping.kind === "object" && isJsonObject(json)) {
    const fields = mapping.object.byParameter;
    const kept = Object.entries(json).filter(([name]) => fields.has(name));
    return Object.fromEntries(kept.map(([name, part]) => [name, withoutReadOnlyFields(fields.get(name)!.value, part)]));
  }
  if (mapping.kind === "map" && isJsonObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, withoutReadOnlyFields(mapping.element, part)]));
  }
  if ((mapping.kind === "list" || mapping.kind === "set") && Array.isArray(json)) {
    return (json as readonly JsonValue[]).map((part) => withoutReadOnlyFields(mapping.elements[0]!, part));
  }
  return json;
}
