// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { isUnknown, propertiesEqual } from "../values/property-equality.ts";
import { formatPropertyPath, type PropertyPath } from "../values/property-path.ts";
import { plain } from "../values/provider-value.ts";
import { listEdits } from "./list-edits.ts";
import { inputsOfElements, setChanges } from "./set-matches.ts";

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
  /** New inputs of the program. */
  readonly inputs: PropertyMap;
  /** Inputs that the resource was made from. */
  readonly oldInputs: PropertyMap;
  /** Paths whose change replaces the resource. */
  readonly replacements: readonly PropertyPath[];
}

/**
 * Compares the properties of a resource before and after a planned change, by the rules of Pulumi's own bridge:
 *
 * - A value that appears, disappears or becomes unknown is one change.
 * - Lists of objects are compared by index, other lists by the fewest additions and removals. An index of a removed element is that before,
 *   one of an added element is that after.
 * - Elements of sets have their indexes in the inputs, because the engine shows those. Where a planned element has no input, the set changes
 *   as a whole.
 * - Values of a dynamic type are compared as a whole.
 *
 * Other than in that bridge, properties that neither the new nor the old inputs set are left out, except in elements of sets: the engine
 * shows a computed output that changes as removed.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/detailed_diff.go
 */
export function detailedDiff(mapping: ObjectMapping, compared: ComparedProperties): readonly PropertyChange[] {
  const { before, after, inputs, oldInputs, replacements } = compared;
  const comparison = new Comparison();
  comparison.objects(mapping, before, after, { news: inputs, olds: oldInputs, all: false }, []);
  return withReplacements(comparison.differences, replacements);
}

/** A change before it is known which changes replace the resource. */
interface Difference {
  readonly path: PropertyPath;
  readonly kind: ChangeKind;
  /** Whether the value is computed and becomes unknown, which follows from another change. */
  readonly isDerived: boolean;
}

/** Inputs that belong to the compared values. */
interface Inputs {
  readonly news: PropertyValue | undefined;
  readonly olds: PropertyValue | undefined;
  /** Whether properties without inputs are compared, too. */
  readonly all: boolean;
}

/** Longest lists whose fewest edits are computed, which takes time in proportion to the product of the lengths. */
const maxEditedLength = 1000;

class Comparison {
  readonly differences: Difference[] = [];

  objects(mapping: ObjectMapping, before: PropertyMap, after: PropertyMap, inputs: Inputs, path: PropertyPath): void {
    for (const { property, value, computed, writeOnly, block } of mapping.properties) {
      const own = inputsAt(inputs, property);
      const isSet = isPresent(own.news) || isPresent(own.olds);
      if (writeOnly || (!isSet && !inputs.all)) continue;
      const isDerived = computed && !isPresent(own.news);
      // Absent blocks are empty collections: the property appears with the first block, and disappears with the last.
      const [left, right] = [before.get(property), after.get(property)].map((part) => (block && isEmpty(part) ? null : part));
      this.#values(value, left, right, own, [...path, property], isDerived);
    }
  }

  #values(
    mapping: ValueMapping,
    left: PropertyValue | undefined,
    right: PropertyValue | undefined,
    inputs: Inputs,
    path: PropertyPath,
    isDerived = false,
  ): void {
    const before = plain(left) ?? null;
    const after = plain(right) ?? null;
    if (propertiesEqual(before, after)) return;
    if (before === null) return this.#add(path, "add", isDerived && isUnknown(after));
    if (after === null) return this.#add(path, "delete");
    if (isUnknown(after)) return this.#add(path, "update", isDerived);
    if (mapping.kind === "only") return this.#values(mapping.element, before, after, inputs, path);
    if (isPropertyMap(before) && isPropertyMap(after)) {
      if (mapping.kind === "object") return this.objects(mapping.object, before, after, inputs, path);
      if (mapping.kind === "map") return this.#entries(mapping.element, before, after, inputs, path);
    }
    if (isPropertyArray(before) && isPropertyArray(after)) {
      if (mapping.kind === "set") return this.#sets(mapping.elements[0]!, before, after, inputs, path);
      if (mapping.kind === "list") return this.#lists(mapping.elements[0]!, before, after, inputs, path);
      if (mapping.kind === "tuple") return this.#indexes(mapping.elements, before, after, inputs, path);
    }
    this.#add(path, "update");
  }

  #entries(element: ValueMapping, before: PropertyMap, after: PropertyMap, inputs: Inputs, path: PropertyPath): void {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      this.#values(element, before.get(key), after.get(key), inputsAt(inputs, key), [...path, key]);
    }
  }

  #lists(
    element: ValueMapping,
    before: readonly PropertyValue[],
    after: readonly PropertyValue[],
    inputs: Inputs,
    path: PropertyPath,
  ): void {
    const isShort = before.length < maxEditedLength && after.length < maxEditedLength;
    if (element.kind === "object" || !isShort) return this.#indexes([element], before, after, inputs, path);
    const { removed, added } = listEdits(before, after, (left, right) => propertiesEqual(left, right));
    for (const index of removed) this.#add([...path, index], added.has(index) ? "update" : "delete");
    for (const index of added) if (!removed.has(index)) this.#add([...path, index], "add");
  }

  #indexes(
    elements: readonly ValueMapping[],
    before: readonly PropertyValue[],
    after: readonly PropertyValue[],
    inputs: Inputs,
    path: PropertyPath,
  ): void {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      const element = elements[index] ?? elements[0]!;
      this.#values(element, before[index], after[index], inputsAt(inputs, index), [...path, index]);
    }
  }

  #sets(
    element: ValueMapping,
    before: readonly PropertyValue[],
    after: readonly PropertyValue[],
    inputs: Inputs,
    path: PropertyPath,
  ): void {
    const { removed, added } = setChanges(element, before, after, inputs.news);
    if (removed.length === 0 && added.length === 0) return;
    const plannedByInput = inputsOfElements(element, after, added, inputs.news);
    if (plannedByInput === undefined) return this.#add(path, "update");
    for (const index of new Set([...removed, ...plannedByInput.keys()])) {
      const old = removed.includes(index) ? before[index] : null;
      const planned = plannedByInput.get(index);
      // The order of the old inputs is that of the program, which says nothing about the old element.
      const own: Inputs = { news: inputsAt(inputs, index).news, olds: undefined, all: true };
      this.#values(element, old, planned === undefined ? null : after[planned], own, [...path, index]);
    }
  }

  #add(path: PropertyPath, kind: ChangeKind, isDerived = false): void {
    this.differences.push({ path, kind, isDerived });
  }
}

/** Inputs of a property, entry or element. */
function inputsAt({ news, olds, all }: Inputs, step: string | number): Inputs {
  return { news: partOf(news, step), olds: partOf(olds, step), all };
}

function partOf(value: PropertyValue | undefined, step: string | number): PropertyValue | undefined {
  const given = plain(value);
  if (typeof step === "number") return isPropertyArray(given) ? given[step] : undefined;
  return isPropertyMap(given) ? given.get(step) : undefined;
}

function isEmpty(value: PropertyValue | undefined): boolean {
  const given = plain(value);
  return (isPropertyArray(given) && given.length === 0) || (isPropertyMap(given) && given.size === 0);
}

function isPresent(value: PropertyValue | undefined): boolean {
  return (plain(value) ?? null) !== null;
}

/**
 * Marks the changes at, above or below the paths that require the replacement, but not those that only follow from them. A path without a
 * change becomes a change of its property, so that the user sees why the resource is replaced.
 */
function withReplacements(differences: readonly Difference[], replacements: readonly PropertyPath[]): readonly PropertyChange[] {
  const causes = new Set<Difference>();
  const added: PropertyChange[] = [];
  for (const path of replacements) {
    if (path.length === 0) continue;
    const related = differences.filter((difference) => isRelated(path, difference.path));
    const reasons = related.filter(({ isDerived }) => !isDerived);
    for (const difference of reasons.length > 0 ? reasons : related) causes.add(difference);
    if (related.length === 0) added.push({ path, kind: "update", replaces: true });
  }
  const changes = differences.map((difference): PropertyChange => {
    const { path, kind } = difference;
    return { path, kind, replaces: causes.has(difference) };
  });
  const unique = new Map([...changes, ...added].map((change) => [formatPropertyPath(change.path), change]));
  return [...unique.values()];
}

/** Whether one path is the beginning of the other. */
function isRelated(left: PropertyPath, right: PropertyPath): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, index) => step === right[index]);
}
