// SPDX-License-Identifier: Apache-2.0
import type { FieldMapping, KindMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";

/** A reference to one key of a Secret. */
export interface SecretKeyReference {
  readonly name: string;
  readonly key: string;
  /** Absent in namespaced objects, whose Secrets are in their own namespace. */
  readonly namespace?: string;
}

/** Reads a reference; undefined if the JSON is not one. */
export function readSecretKeyReference(json: JsonValue): SecretKeyReference | undefined {
  if (!isJsonObject(json)) return undefined;
  const { name, key, namespace } = json;
  if (typeof name !== "string" || typeof key !== "string" || name === "" || key === "") return undefined;
  return { name, key, ...(typeof namespace === "string" && namespace !== "" ? { namespace } : {}) };
}

/** Finds all references to Secrets in `spec.forProvider` or `spec.initProvider`. */
export function secretKeyReferences({ fields }: Pick<KindMapping, "fields">, parameters: JsonObject): readonly SecretKeyReference[] {
  const found: SecretKeyReference[] = [];
  collectFromObject(fields, parameters, found);
  return found;
}

function collectFromObject(mapping: ObjectMapping, json: JsonObject, found: SecretKeyReference[]): void {
  for (const [name, part] of Object.entries(json)) {
    const field = mapping.byParameter.get(name);
    if (field !== undefined) collectFromField(field, part, found);
  }
}

function collectFromField(field: FieldMapping, json: JsonValue, found: SecretKeyReference[]): void {
  if (field.secretName === undefined) return collect(field.value, json, found);
  const reference = readSecretKeyReference(json);
  if (reference !== undefined) found.push(reference);
}

function collect(mapping: ValueMapping, json: JsonValue, found: SecretKeyReference[]): void {
  if (mapping.kind === "object" && isJsonObject(json)) collectFromObject(mapping.object, json, found);
  if (mapping.kind === "map" && isJsonObject(json)) for (const part of Object.values(json)) collect(mapping.element, part, found);
  if ((mapping.kind === "list" || mapping.kind === "set") && isJsonArray(json)) {
    for (const part of json) collect(mapping.elements[0]!, part, found);
  }
}
