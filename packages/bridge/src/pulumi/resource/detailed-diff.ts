// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { isUnknown, propertiesEqual } from "../values/property-equality.ts";
import { formatPropertyPath, type PropertyPath } from "../values/property-path.ts";
import { plain } from "../values/provider-value.ts";

/** Kind of a change of one property. */
export type ChangeKind = "add" | "delete" | "update";

/** Change of one property. */
export interface PropertyChange {
  readonly path: PropertyPath;
  readonly kind: ChangeKind;
  readonly replaces: boolean;
}

/** What a detailed difference compares. */
export interface ComparedProperties {
  readonly before: PropertyMap;
  /** Planned properties. Unknown values are changes. */
  readonly after: PropertyMap;
  /** Inputs of the program, old and new: only what they set is compared. The engine shows a changed output as removed otherwise. */
  readonly inputs: readonly PropertyMap[];
  /** Paths whose change replaces the resource. */
  readonly replacements: readonly PropertyPath[];
}

/**
 * Compares the properties of a resource before and after a planned change. Lists are compared by index, sets by element: an element that is
 * removed has its index before, an added one its index after.
 */
export function detailedDiff(
  mapping: ObjectMapping,
  { before, after, inputs, replacements }: ComparedProperties,
): readonly PropertyChange[] {
  const changes: PropertyChange[] = [];
  const comparison = new Comparison(changes);
  comparison.objects(mapping, before, after, inputs, []);
  return withReplacements(changes, replacements);
}

type Inputs = readonly (PropertyValue | undefined)[];

class Comparison {
  readonly #changes: PropertyChange[];

  constructor(changes: PropertyChange[]) {
    this.#changes = changes;
  }

  objects(mapping: ObjectMapping, before: PropertyMap, after: PropertyMap, inputs: Inputs, path: PropertyPath): void {
    const maps = inputs.map(plain).filter((input) => isPropertyMap(input));
    for (const { property, value, writeOnly } of mapping.properties) {
      const own = maps.map((map) => map.get(property));
      if (writeOnly || own.every((input) => input === undefined || input === null)) continue;
      this.#values(value, before.get(property), after.get(property), own, [...path, property]);
    }
  }

  #values(
    mapping: ValueMapping | undefined,
    left: PropertyValue | undefined,
    right: PropertyValue | undefined,
    inputs: Inputs,
    path: PropertyPath,
  ): void {
    const before = plain(left) ?? null;
    const after = plain(right) ?? null;
    if (propertiesEqual(before, after)) return;
    if (isUnknown(after)) return this.#add(path, before === null ? "add" : "update");
    if (before === null) return this.#add(path, "add");
    if (after === null) return this.#add(path, "delete");
    if (mapping?.kind === "only") return this.#values(mapping.element, before, after, inputs, path);
    if (isPropertyMap(before) && isPropertyMap(after)) {
      if (mapping?.kind === "object") return this.objects(mapping.object, before, after, inputs, path);
      return this.#entries(mapping?.kind === "map" ? mapping.element : undefined, before, after, inputs, path);
    }
    if (isPropertyArray(before) && isPropertyArray(after)) {
      if (mapping?.kind === "set") return this.#sets(before, after, path);
      return this.#lists(mapping?.kind === "list" ? mapping.elements[0] : undefined, before, after, inputs, path);
    }
    this.#add(path, "update");
  }

  #entries(element: ValueMapping | undefined, before: PropertyMap, after: PropertyMap, inputs: Inputs, path: PropertyPath): void {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const own = inputs.map((input) => plain(input)).map((input) => (isPropertyMap(input) ? input.get(key) : undefined));
      this.#values(element, before.get(key), after.get(key), own, [...path, key]);
    }
  }

  #lists(
    element: ValueMapping | undefined,
    before: readonly PropertyValue[],
    after: readonly PropertyValue[],
    inputs: Inputs,
    path: PropertyPath,
  ): void {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      if (index >= after.length) this.#add([...path, index], "delete");
      else if (index >= before.length) this.#add([...path, index], "add");
      else {
        const own = inputs.map((input) => plain(input)).map((input) => (isPropertyArray(input) ? input[index] : undefined));
        this.#values(element, before[index], after[index], own, [...path, index]);
      }
    }
  }

  /** An unknown part of a planned element may be equal to anything: an element that is equal apart from it is the same. */
  #sets(before: readonly PropertyValue[], after: readonly PropertyValue[], path: PropertyPath): void {
    const unmatched = new Set(before.keys());
    const added: number[] = [];
    for (const [index, element] of after.entries()) {
      const same = [...unmatched].find((old) => propertiesEqual(before[old], element, !isUnknown(element)));
      if (same === undefined) added.push(index);
      else unmatched.delete(same);
    }
    for (const index of unmatched) this.#add([...path, index], added.includes(index) ? "update" : "delete");
    for (const index of added) if (!unmatched.has(index)) this.#add([...path, index], "add");
  }

  #add(path: PropertyPath, kind: ChangeKind): void {
    this.#changes.push({ path, kind, replaces: false });
  }
}

/**
 * Marks the changes at, above or below the paths that require the replacement. A path without a change becomes a change of its property, so
 * that the user sees why the resource is replaced.
 */
function withReplacements(changes: readonly PropertyChange[], replacements: readonly PropertyPath[]): readonly PropertyChange[] {
  const marked = changes.map((change) => ({ ...change, replaces: replacements.some((path) => isRelated(path, change.path)) }));
  const missing = replacements.filter((path) => path.length > 0 && !marked.some((change) => isRelated(path, change.path)));
  const added = missing.map((path): PropertyChange => ({ path, kind: "update", replaces: true }));
  const unique = new Map([...marked, ...added].map((change) => [formatPropertyPath(change.path), change]));
  return [...unique.values()];
}

/** Whether one path is the beginning of the other. */
function isRelated(left: PropertyPath, right: PropertyPath): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, index) => step === right[index]);
}
