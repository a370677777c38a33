// SPDX-License-Identifier: Apache-2.0
import { celName } from "../names/cel-name.ts";
import type { FieldMapping, KindScope, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { referenceSchemas, secretKeySchema } from "./reference-schema.ts";
import { isSelectable, objectSchema, type StructuralSchema, type ValidationRule } from "./structural-schema.ts";

/**
 * Part of an object that a schema describes:
 *
 * - `forProvider`: what the user configures.
 * - `initProvider`: the same, for the creation only; its objects are merged into those of `forProvider`, so that nothing in them is required.
 * - `atProvider`: what the provider reports.
 */
export type SchemaPart = "forProvider" | "initProvider" | "atProvider";

/** What the schema of a value depends on. */
export interface ValueSchemaOptions {
  readonly part: SchemaPart;
  readonly scope: KindScope;
  readonly descriptions: DescriptionDetail;
  /**
   * Whether the API server knows the old value, as rules about changes need: not inside of arrays, whose elements it does not identify.
   * Default: true.
   */
  readonly hasOldValue?: boolean;
  /** Number of levels of objects, arrays and maps that have schemas; deeper values are not checked by the API server. */
  readonly depth: number;
}

/** How much of a description is kept: everything, its first sentence, or nothing. */
export type DescriptionDetail = "full" | "sentence" | "none";

/** Describes the fields of an object in one part of a custom resource. */
export function fieldsSchema(mapping: ObjectMapping, options: ValueSchemaOptions): StructuralSchema {
  return objectOf(mapping, options, true);
}

function objectOf(mapping: ObjectMapping, options: ValueSchemaOptions, isTop: boolean): StructuralSchema {
  const { part, depth } = options;
  if (depth <= 0) return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const inside = { ...options, depth: depth - 1 };
  if (part === "atProvider") {
    return objectSchema(fromEntries([...mapping.byObservation].map(([name, field]) => [name, observed(field, inside)])));
  }
  const properties: (readonly [string, StructuralSchema])[] = [];
  const required: string[] = [];
  const rules: ValidationRule[] = [];
  for (const [name, field] of mapping.byParameter) {
    const schema = parameter(name, field, inside);
    properties.push([name, schema], ...referenceSchemas(field.reference, options.scope));
    // Whether a field of the top level is required depends on the policies, and on the other part.
    if (field.parameter === "required" && part === "forProvider" && !isTop) required.push(name);
    const rule = isFixed(field, schema, options) ? removalRule(name) : undefined;
    if (rule) rules.push(rule);
  }
  return objectSchema(fromEntries(properties), { required, ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}) });
}

function observed(field: FieldMapping, options: ValueSchemaOptions): StructuralSchema {
  return valueSchema(field.value, options, field.block !== undefined);
}

function parameter(name: string, field: FieldMapping, options: ValueSchemaOptions): StructuralSchema {
  const { part, scope, descriptions } = options;
  const { minItems, maxItems } = field;
  const text = part === "forProvider" ? descriptionText(field.description, descriptions) : "";
  const schema = field.secretName === name ? secretKeySchema(scope) : valueSchema(field.value, options, field.block !== undefined);
  // Objects of both parts are merged, but lists are not: a list in either part is complete.
  const isArray = schema.type === "array";
  return {
    ...(text === "" ? {} : { description: text }),
    ...schema,
    ...(isArray && minItems > 0 ? { minItems } : {}),
    ...(isArray && maxItems > 0 ? { maxItems } : {}),
    ...(isFixed(field, schema, options)
      ? { "x-kubernetes-validations": [{ rule: "self == oldSelf", message: `${name} is immutable` }] }
      : {}),
  };
}

/** Whether the API server can refuse changes of a field, and must. */
function isFixed({ isImmutable }: FieldMapping, schema: StructuralSchema, { part, hasOldValue = true }: ValueSchemaOptions): boolean {
  return isImmutable && hasOldValue && part === "forProvider" && isSelectable(schema);
}

/** Refuses the removal of an immutable field: the rule of the field itself is not evaluated then. */
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
      return objectOf(value.object, options, false);
    case "map":
      if (options.depth <= 0) return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
      return { type: "object", additionalProperties: element(value.element, { ...options, depth: options.depth - 1 }, isBlock) };
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
  // The API server compares the elements of a `set`; it can do so for scalars only, which cannot be null then.
  const isScalar = mapping.kind === "string" || mapping.kind === "number" || mapping.kind === "bool";
  if (kind === "set" && isScalar) return { type: "array", items: valueSchema(mapping, inside), "x-kubernetes-list-type": "set" };
  return { type: "array", items: element(mapping, inside, isBlock) };
}

function element(mapping: ValueMapping, options: ValueSchemaOptions, isBlock: boolean): StructuralSchema {
  const schema = valueSchema(mapping, options);
  return isBlock || schema.type === undefined ? schema : { ...schema, nullable: true };
}

/** The first sentence of a text, or all of it. */
function descriptionText(text: string, detail: DescriptionDetail): string {
  if (detail === "none") return "";
  return detail === "full" ? text : (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text.slice(0, 200));
}

/** Creates a record without a prototype problem: a field may have any name. */
function fromEntries(entries: readonly (readonly [string, StructuralSchema])[]): Readonly<Record<string, StructuralSchema>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
