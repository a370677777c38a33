// SPDX-License-Identifier: Apache-2.0
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { FieldProblem } from "../values/field-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../values/json-value.ts";
import { convertedParameters } from "./converted-json.ts";
import type { MigratedKind } from "./migrated-kind.ts";

/** An object of the API server in any version. */
export interface StoredObject extends KubernetesObject {
  readonly metadata: KubernetesObject["metadata"] & {
    readonly managedFields?: readonly { readonly apiVersion?: string; readonly subresource?: string }[];
  };
  readonly spec?: JsonObject;
}

/** The result of {@link convertedObject}. */
export interface ConvertedObject {
  readonly object: StoredObject;
  /** What cannot be converted; empty if the object is complete. */
  readonly problems: readonly FieldProblem[];
}

/** Annotation of an object: the version that it was converted to. */
const convertedAnnotation = "tenon.dev/converted-to";

/** Whether an object was converted to a version, or a client wrote it in that version. */
export function isConverted({ metadata }: StoredObject, { resource }: MigratedKind, version: string): boolean {
  const { annotations = {}, managedFields = [] } = metadata;
  const apiVersion = `${resource.group}/${version}`;
  const isWritten = managedFields.some((entry) => entry.apiVersion === apiVersion && entry.subresource === undefined);
  return isWritten || annotations[convertedAnnotation] === version;
}

/** Converts an object to the schema of a later version. */
export function convertedObject(object: StoredObject, kind: MigratedKind, version: string, schema: StructuralSchema): ConvertedObject {
  const annotations = { ...object.metadata.annotations, [convertedAnnotation]: version };
  const metadata = { ...object.metadata, annotations };
  const apiVersion = `${kind.resource.group}/${version}`;
  const { properties = {} } = schema.properties?.["spec"] ?? {};
  if (object.spec === undefined) return { object: { ...object, apiVersion, metadata }, problems: [] };
  const spec: Record<string, JsonValue> = { ...object.spec };
  const problems: FieldProblem[] = [];
  for (const part of kind.convertedParts) {
    const given = spec[part];
    if (!isJsonObject(given)) continue;
    const converted = convertedParameters(properties[part] ?? {}, given, ["spec", part], kind.moves);
    spec[part] = converted.json;
    problems.push(...converted.problems);
  }
  problems.push(...kind.missingFields(spec));
  return { object: { ...object, apiVersion, metadata, spec }, problems };
}
