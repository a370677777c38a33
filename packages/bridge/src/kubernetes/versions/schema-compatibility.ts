// SPDX-License-Identifier: Apache-2.0
import type { StructuralSchema } from "../crd/structural-schema.ts";
import { type FieldPath, formatFieldPath } from "../values/field-path.ts";

/** An incompatible difference of two schemas: an object of the earlier schema may be invalid in the later one, or lose a value. */
export interface SchemaChange {
  /** Path such as `spec.forProvider.size`; elements of arrays and maps are `[*]`. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Finds the changes that make a later schema incompatible with an earlier one. A later schema is compatible if every valid object of the
 * earlier schema is valid in it and keeps all its values, for example if it only has more optional fields.
 */
export function incompatibleChanges(earlier: StructuralSchema, later: StructuralSchema, path: FieldPath = []): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(earlier, later, path, changes);
  return changes;
}

function compare(earlier: StructuralSchema, later: StructuralSchema, path: FieldPath, changes: SchemaChange[]): void {
  const report = (reason: string): void => void changes.push({ path: formatFieldPath(path), reason });
  // Without a schema, every value is valid.
  if (isAnything(later)) return;
  if (isAnything(earlier)) return report("had no schema, and has one now");
  if (earlier.type !== later.type) return report(`was ${nameOf(earlier)}, and is ${nameOf(later)} now`);
  if (earlier.nullable === true && later.nullable !== true) report("can no longer be null");
  if ((later.minItems ?? 0) > (earlier.minItems ?? 0)) report(`needs at least ${later.minItems} elements`);
  if ((later.maxItems ?? Infinity) < (earlier.maxItems ?? Infinity)) report(`can have at most ${later.maxItems} elements`);
  const isSet = later["x-kubernetes-list-type"] === "set";
  if (isSet && earlier["x-kubernetes-list-type"] !== "set") report("can no longer have equal elements");
  for (const value of earlier.enum ?? [])
    if (later.enum && !later.enum.includes(value)) report(`can no longer be ${JSON.stringify(value)}`);
  const known = new Set((earlier["x-kubernetes-validations"] ?? []).map(({ rule }) => rule));
  for (const { rule, message } of later["x-kubernetes-validations"] ?? []) {
    // A rule that compares with the old value cannot reject an object that is stored already.
    if (!known.has(rule) && !rule.includes("oldSelf")) report(`has a new rule: ${message}`);
  }
  const alternatives = new Set((earlier.allOf ?? []).map((schema) => JSON.stringify(schema)));
  if ((later.allOf ?? []).some((schema) => !alternatives.has(JSON.stringify(schema)))) report("requires another field");
  if (earlier.items && later.items) compare(earlier.items, later.items, [...path, "*"], changes);
  compareMembers(earlier, later, path, changes);
}

function compareMembers(earlier: StructuralSchema, later: StructuralSchema, path: FieldPath, changes: SchemaChange[]): void {
  if (earlier.type !== "object" || later["x-kubernetes-preserve-unknown-fields"]) return;
  const report = (name: string, reason: string): void => void changes.push({ path: formatFieldPath([...path, name]), reason });
  if (earlier.additionalProperties && later.additionalProperties) {
    return compare(earlier.additionalProperties, later.additionalProperties, [...path, "*"], changes);
  }
  if (earlier.additionalProperties || earlier["x-kubernetes-preserve-unknown-fields"]) return report("*", "can no longer have any name");
  const { properties: before = {}, required: requiredBefore = [] } = earlier;
  const { properties: after = {}, required = [], additionalProperties } = later;
  for (const [name, schema] of Object.entries(before)) {
    const next = Object.hasOwn(after, name) ? after[name] : additionalProperties;
    if (next === undefined) report(name, "is removed");
    else compare(schema, next, [...path, name], changes);
  }
  for (const name of required) if (!requiredBefore.includes(name)) report(name, "is required now");
}

function isAnything({ type, "x-kubernetes-preserve-unknown-fields": preserves }: StructuralSchema): boolean {
  return type === undefined && preserves === true;
}

function nameOf({ type, additionalProperties }: StructuralSchema): string {
  return additionalProperties ? "a map" : type === undefined ? "anything" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
