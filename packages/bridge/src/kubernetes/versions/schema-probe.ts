// SPDX-License-Identifier: Apache-2.0
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { JsonObject, JsonValue } from "../values/json-value.ts";

/** An object that shows whether the API server uses a changed schema yet: with the earlier schema, it rejects a field of the object as unknown. */
export interface SchemaProbe {
  /** The fields of the object beside its metadata. */
  readonly parts: JsonObject;
  /** Path of the added field, in the notation of the API server. */
  readonly field: string;
}

/**
 * Creates a probe with a field that only the later schema has; undefined if there is no such field.
 *
 * For a moment after a definition was changed, the API server still uses the earlier schema and drops the fields that it does not know.
 */
export function schemaProbe(earlier: StructuralSchema, later: StructuralSchema): SchemaProbe | undefined {
  const path = addedField(earlier, later);
  if (path === undefined) return undefined;
  const field = path.map((step, at) => (step === "*" ? "[0]" : at === 0 ? step : `.${step}`)).join("");
  return {
    parts: path.reduceRight<JsonValue>((inner, step) => (step === "*" ? [inner] : { [step]: inner }), "probe") as JsonObject,
    field,
  };
}

/** Path of the first added field; `*` is an element of an array. Fields of maps are not searched. */
function addedField(earlier: StructuralSchema | undefined, later: StructuralSchema | undefined): readonly string[] | undefined {
  if (earlier?.items && later?.items) return below("*", addedField(earlier.items, later.items));
  if (earlier?.type !== "object" || later?.properties === undefined || earlier["x-kubernetes-preserve-unknown-fields"]) return undefined;
  for (const [name, schema] of Object.entries(later.properties)) {
    const { properties = {} } = earlier;
    if (!Object.hasOwn(properties, name)) return earlier.additionalProperties ? undefined : [name];
    const inner = below(name, addedField(properties[name], schema));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function below(step: string, path: readonly string[] | undefined): readonly string[] | undefined {
  return path && [step, ...path];
}
