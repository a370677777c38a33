// SPDX-License-Identifier: Apache-2.0
import { celName } from "../names/cel-name.ts";
import type { FieldMapping, KindScope, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { referenceSchemas, secretKeySchema } from "./reference-schema.ts";
import { isSelectable, objectSchema, type StructuralSchema, type ValidationRule } from "./structural-schema.ts";

/**
 * The part of a custom resource that a schema describes:
 *
 * - `forProvider`: the configuration.
 * - `initProvider`: fields of the configuration that only the creation uses. Its objects are merged into those of `forProvider`, so none of
 *   their fields is required.
 * - `atProvider`: the state that the provider reports.
 */
export type SchemaPart = "forProvider" | "initProvider" | "atProvider";

/** Options of {@link fieldsSchema}. */
export interface ValueSchemaOptions {
  readonly part: SchemaPart;
  readonly scope: KindScope;
  readonly descriptions: DescriptionDetail;
  /**
   * Whether rules can compare the value with its old value. They cannot inside arrays, because the API server does not match the elements of
   * arrays. Default: true.
   */
  readonly hasOldValue?: boolean;
  /** Number of nested objects, arrays and maps that have schemas. The API server does not check deeper values. */
  readonly depth: number;
}

/** The part of a description that is kept: all, the first sentence, or none. */
export type DescriptionDetail = "full" | "sentence" | "none";

/** Describes the fields of an object in one part of a custom resource. */
export function fieldsSchema(mapping: ObjectMapping, options: ValueSchemaOptions): StructuralSchema {
  return objectSchemaOf(mapping, options, true);
}

function objectSchemaOf(mapping: ObjectMapping, options: ValueSchemaOptions, isTop: boolean): StructuralSchema {
  const { part, depth } = options;
  if (depth <= 0) return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const inside = { ...options, depth: depth - 1 };
  if (part === "atProvider") {
    return objectSchema(sortedRecord([...mapping.byObservation].map(([name, field]) => [name, observedSchema(field, inside)])));
  }
  const properties: (readonly [string, StructuralSchema])[] = [];
  const required: string[] = [];
  const rules: ValidationRule[] = [];
  for (const [name, field] of mapping.byParameter) {
    const schema = parameterSchema(name, field, inside);
    properties.push([name, schema], ...referenceSchemas(field.reference, options.scope));
    // Rules decide whether a field of the top level is required: that depends on the policies and on `initProvider`.
    if (field.parameter === "required" && part === "forProvider" && !isTop) required.push(name);
    const rule = isProtected(field, schema, options) ? removalRule(name) : undefined;
    if (rule) rules.push(rule);
  }
  return objectSchema(sortedRecord(properties), { required, ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}) });
}

function observedSchema(field: FieldMapping, options: ValueSchemaOptions): StructuralSchema {
  return valueSchema(field.value, options, field.block !== undefined);
}

function parameterSchema(name: string, field: FieldMapping, options: ValueSchemaOptions): StructuralSchema {
  const { part, scope, descriptions } = options;
  const { minItems, maxItems } = field;
  const text = part === "forProvider" ? descriptionText(field.description, descriptions) : "";
  const schema = field.secretName === name ? secretKeySchema(scope) : valueSchema(field.value, options, field.block !== undefined);
  // A list in either part is complete: unlike objects, the lists of both parts are not merged.
  const isArray = schema.type === "array";
  return {
    ...(text === "" ? {} : { description: text }),
    ...schema,
    ...(isArray && minItems > 0 ? { minItems } : {}),
    ...(isArray && maxItems > 0 ? { maxItems } : {}),
    ...(isProtected(field, schema, options)
      ? { "x-kubernetes-validations": [{ rule: "self == oldSelf", message: `${name} is immutable` }] }
      : {}),
  };
}

/** Whether the schema has a rule that rejects changes of a field. */
function isProtected({ isImmutable }: FieldMapping, schema: StructuralSchema, { part, hasOldValue = true }: ValueSchemaOptions): boolean {
  return isImmutable && hasOldValue && part === "forProvider" && isSelectable(schema);
}

/** A rule that rejects the removal of an immutable field, because a rule of the field itself is not evaluated without the field. */
function removalRule(name: string): ValidationRule | undefined {
  const selector = celName(name);
  if (selector === undefined) return undefined;
  return { rule: `!has(oldSelf.${selector}) || has(self.${selector})`, message: `${name} is immutable, and cannot be removed` };
}

/** Describes values of one type. Elements of lists and maps may be null, but not blocks. */
function valueSchema(value: ValueMapping, options: ValueSchemaOptions, isBlock = false): StructuralSchema {
  switch (value.kind) {
    case "string":
    case "number":
      return { type: value.kind };
    case "bool":
      return { type: "boolean" };
    case "dynamic":
      return { "x-kubernetes-preserve-unknown-fields": true };
    case "object":
      return objectSchemaOf(value.object, options, false);
    case "map":
      if (options.depth <= 0) return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
      return { type: "object", additionalProperties: elementSchema(value.element, { ...options, depth: options.depth - 1 }, isBlock) };
    case "tuple":
      return {
        type: "array",
        items: { "x-kubernetes-preserve-unknown-fields": true },
        minItems: value.elements.length,
        maxItems: value.elements.length,
      };
    default:
      return arraySchema(value.kind, value.elements[0]!, options, isBlock);
  }
}

function arraySchema(kind: "list" | "set", mapping: ValueMapping, options: ValueSchemaOptions, isBlock: boolean): StructuralSchema {
  if (options.depth <= 0) return { type: "array", items: { "x-kubernetes-preserve-unknown-fields": true } };
  const inside = { ...options, depth: options.depth - 1, hasOldValue: false };
  // The API server compares the elements of a `set`. It supports only scalars that are not null.
  const isScalar = mapping.kind === "string" || mapping.kind === "number" || mapping.kind === "bool";
  if (kind === "set" && isScalar) return { type: "array", items: valueSchema(mapping, inside), "x-kubernetes-list-type": "set" };
  return { type: "array", items: elementSchema(mapping, inside, isBlock) };
}

function elementSchema(mapping: ValueMapping, options: ValueSchemaOptions, isBlock: boolean): StructuralSchema {
  const schema = valueSchema(mapping, options);
  return isBlock || schema.type === undefined ? schema : { ...schema, nullable: true };
}

/** The description in the wanted detail. */
function descriptionText(text: string, detail: DescriptionDetail): string {
  if (detail === "none") return "";
  return detail === "full" ? text : (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text.slice(0, 200));
}

/** Sorts entries by name, and makes a record of them. */
function sortedRecord(entries: readonly (readonly [string, StructuralSchema])[]): Readonly<Record<string, StructuralSchema>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
