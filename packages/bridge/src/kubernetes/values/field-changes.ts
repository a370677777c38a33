// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { difference, type BlockDifferences, type Difference } from "@tenon/schema/difference";
import type { FieldMapping, KindMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { formatFieldPath, type FieldPath } from "./field-path.ts";
import { jsonText } from "./json-value.ts";
import { jsonOf } from "./observation.ts";

/** Change of one field, as `status.plan` and `status.drift` show it. */
export interface FieldChange {
  /** Path in `spec.forProvider` or `status.atProvider`, such as `rules[0].port`. An element of a set has no index: `labels[*]`. */
  readonly path: string;
  /** JSON of the value before, shortened; absent where there was none, and where it must not be shown. */
  readonly from?: string;
  /** JSON of the value after, shortened; absent where there is none, and where it is unknown or must not be shown. */
  readonly to?: string;
  /** Whether the values must not be shown. */
  readonly sensitive?: true;
  /** Whether the value after is known only after the change. */
  readonly unknown?: true;
  /** Whether the change cannot be made in place. */
  readonly requiresReplacement?: true;
}

/** Changed fields of a resource. Those that require a replacement come first. */
export interface FieldChanges {
  readonly changes: readonly FieldChange[];
  /** Number of further changes: a status must stay small. */
  readonly omitted: number;
}

/** Largest number of changes that are listed. */
const maxChanges = 50;
/** Largest length of a path or value, in characters. */
const maxText = 256;

/**
 * Lists the fields in which two values of a resource differ. Sensitive values and write-only values are never shown. Where the resource does
 * not exist before, fields that only the provider knows are left out.
 *
 * @param before - Null where the resource does not exist.
 * @param after - Null where it is deleted. May contain unknown values.
 * @param requiresReplace - Paths whose change requires a replacement.
 */
export function fieldChanges(
  { schema, fields }: Pick<KindMapping, "schema" | "fields">,
  before: Value,
  after: Value,
  requiresReplace: readonly Path[] = [],
): FieldChanges {
  const collection = new Collection(before.payload === null);
  collection.value(
    difference(schema.block, before, after, { requiresReplace }),
    { kind: "object", type: after.type, object: fields },
    [],
    false,
  );
  const { changes } = collection;
  const sorted = [
    ...changes.filter(({ requiresReplacement }) => requiresReplacement),
    ...changes.filter((one) => !one.requiresReplacement),
  ];
  return { changes: sorted.slice(0, maxChanges), omitted: Math.max(0, sorted.length - maxChanges) };
}

class Collection {
  readonly changes: FieldChange[] = [];
  readonly #isCreate: boolean;

  constructor(isCreate: boolean) {
    this.#isCreate = isCreate;
  }

  value(found: Difference, mapping: ValueMapping, path: FieldPath, isForced: boolean): void {
    const { action, content } = found;
    const forces = isForced || found.forcesReplacement;
    if (content.kind === "writeOnly") {
      // The value is null on both sides: what changes it is not visible.
      if (found.forcesReplacement) this.#add(path, { sensitive: true }, forces);
      return;
    }
    if (action === "noOp") return;
    const { length } = this.changes;
    switch (content.kind) {
      case "sensitive":
        return this.#add(path, { sensitive: true }, forces);
      case "unknown":
        if (!this.#isCreate) this.#add(path, { ...valueAs("from", mapping, found.before), unknown: true }, forces);
        return;
      case "block":
        this.#block(content, mapping, path, forces);
        break;
      case "object":
      case "map":
        for (const [name, part] of content.kind === "object" ? content.attributes : content.elements) {
          const member = memberOf(mapping, name);
          this.value(part, member.mapping, [...path, member.name], forces);
        }
        break;
      case "list":
        this.#list(content.elements, mapping, path, forces);
        break;
      case "set":
        for (const element of content.elements) this.#element(element, elementOf(mapping, 0), path, forces);
        break;
      default:
        return this.#whole(found, mapping, path, forces);
    }
    // A value without changed parts, such as an empty list.
    if (this.changes.length === length && path.length > 0) this.#whole(found, mapping, path, forces);
  }

  #block(
    { attributes, blocks }: Extract<Difference["content"], { readonly kind: "block" }>,
    mapping: ValueMapping,
    path: FieldPath,
    forces: boolean,
  ): void {
    for (const [name, part] of attributes) {
      const member = memberOf(mapping, name);
      this.value(part, member.mapping, [...path, member.name], forces);
    }
    for (const [name, part] of blocks) {
      const member = memberOf(mapping, name);
      this.#blocks(part, member.mapping, [...path, member.name], forces || part.forcesReplacement);
    }
  }

  #blocks({ nesting, sensitive, blocks }: BlockDifferences, mapping: ValueMapping, path: FieldPath, forces: boolean): void {
    const changed = blocks.filter(({ difference: { action } }) => action !== "noOp");
    if (changed.length > 0 && (sensitive.before || sensitive.after)) return this.#add(path, { sensitive: true }, forces);
    if (nesting === "list") {
      return this.#list(
        blocks.map(({ difference: part }) => part),
        mapping,
        path,
        forces,
      );
    }
    for (const { key, difference: part } of changed) {
      if (nesting === "set") this.#element(part, elementOf(mapping, 0), path, forces);
      else if (key === undefined) this.value(part, mapping, path, forces);
      else this.value(part, memberOf(mapping, key).mapping, [...path, key], forces);
    }
  }

  /** Elements of a list have the index that they have afterwards; deleted ones, the index that they had. */
  #list(elements: readonly Difference[], mapping: ValueMapping, path: FieldPath, forces: boolean): void {
    let before = 0;
    let after = 0;
    for (const element of elements) {
      const index = element.action === "delete" ? before : after;
      this.value(element, elementOf(mapping, index), [...path, index], forces);
      if (element.action !== "create") before += 1;
      if (element.action !== "delete") after += 1;
    }
  }

  /** An element of a set is added or removed as a whole. */
  #element(element: Difference, mapping: ValueMapping, path: FieldPath, forces: boolean): void {
    if (element.action === "noOp") return;
    if (element.content.kind === "sensitive") return this.#add([...path, "*"], { sensitive: true }, forces);
    this.#whole(element, mapping, [...path, "*"], forces || element.forcesReplacement);
  }

  #whole(found: Difference, mapping: ValueMapping, path: FieldPath, forces: boolean): void {
    const { before, after } = found;
    const isUnknown = found.content.kind === "unknown" || (after !== undefined && !isWhollyKnown(after));
    if (isUnknown && this.#isCreate) return;
    const from = valueAs("from", mapping, before);
    this.#add(path, isUnknown ? { ...from, unknown: true } : { ...from, ...valueAs("to", mapping, after) }, forces);
  }

  #add(path: FieldPath, change: Omit<FieldChange, "path" | "requiresReplacement">, forces: boolean): void {
    this.changes.push({ path: shortened(formatFieldPath(path)), ...change, ...(forces ? { requiresReplacement: true } : {}) });
  }
}

/** An attribute, block or entry of a value. */
function memberOf(mapping: ValueMapping, name: string): { readonly name: string; readonly mapping: ValueMapping } {
  if (mapping.kind === "object") {
    const field = fieldFor(mapping.object, name);
    return { name: field.name, mapping: field.value };
  }
  return { name, mapping: mapping.kind === "map" ? mapping.element : mapping };
}

const fieldsByAttribute = new WeakMap<ObjectMapping, ReadonlyMap<string, FieldMapping>>();

function fieldFor(mapping: ObjectMapping, attribute: string): FieldMapping {
  let fields = fieldsByAttribute.get(mapping);
  if (fields === undefined) fieldsByAttribute.set(mapping, (fields = new Map(mapping.fields.map((field) => [field.attribute, field]))));
  return fields.get(attribute)!;
}

function elementOf(mapping: ValueMapping, index: number): ValueMapping {
  if (mapping.kind === "tuple") return mapping.elements[index] ?? mapping.elements[0]!;
  return mapping.kind === "list" || mapping.kind === "set" ? mapping.elements[0]! : mapping;
}

type Side = "from" | "to";

/** JSON of a value. Fields that must not be shown are left out. */
function valueAs(side: Side, mapping: ValueMapping, value: Value | undefined): Partial<Record<Side, string>> {
  if (value === undefined || !isWhollyKnown(value)) return {};
  return { [side]: shortened(jsonText(jsonOf(mapping, value, []).json)) };
}

function shortened(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1).toWellFormed()}…`;
}
