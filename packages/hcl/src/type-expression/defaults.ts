// SPDX-License-Identifier: Apache-2.0
import {
  CtyError,
  isKnown,
  isNull,
  listOf,
  mapOf,
  objectOf,
  range,
  refine,
  setOf,
  tupleOf,
  unmark,
  withMarks,
  type Mark,
  type Type,
  type Value,
} from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { unifyUnsafe } from "@tenon/cty/convert";

/** Defaults of the optional attributes of a type, at any depth. @see typeexpr.Defaults */
export interface Defaults {
  readonly type: Type;
  /** Defaults of attributes of the object itself, by name. */
  readonly values: ReadonlyMap<string, Value>;
  /** Defaults inside: by attribute name or tuple position; for the elements of a collection, under the empty name. */
  readonly children: ReadonlyMap<string, Defaults>;
}

/**
 * Applies defaults to attributes that are missing or null. The result may have neither the type of the value nor the one with the
 * defaults: convert it to the latter.
 *
 * @see typeexpr.Defaults.Apply
 */
export function applyDefaults(defaults: Defaults | undefined, value: Value): Value {
  if (defaults === undefined || !isKnown(value) || isNull(value)) return value;
  const [plain, marks] = unmark(value);
  switch (plain.type.kind) {
    case "set":
    case "list":
    case "tuple":
      return withMarks(sequenceWithDefaults(defaults, plain, marks), marks);
    case "object":
    case "map":
      return withMarks(mappingWithDefaults(defaults, plain), marks);
    default:
      return value;
  }
}

/** Defaults inside a value; undefined if the value has another form, which the later conversion reports. */
function childFor(defaults: Defaults, key: string | number): Defaults | undefined {
  const isNamed = typeof key === "string" ? defaults.type.kind === "object" : defaults.type.kind === "tuple";
  return defaults.children.get(isNamed ? String(key) : "");
}

function sequenceWithDefaults(defaults: Defaults, value: Value, marks: ReadonlySet<Mark>): Value {
  const { type } = value;
  const filled = elements(value).map(([, element], index) => applyDefaults(childFor(defaults, index), element));
  if (type.kind === "list" || type.kind === "set") {
    if (filled.length === 0) return type.kind === "list" ? listOf([], type.element) : setOf([], type.element);
    const unified = toCommonType(filled);
    if (unified !== undefined) return type.kind === "list" ? listOf(unified) : withMarks(setOf(unified), marks);
  }
  return tupleOf(filled);
}

function mappingWithDefaults(defaults: Defaults, value: Value): Value {
  const { type } = value;
  const filled = new Map<string, Value>();
  for (const [key, element] of elements(value)) {
    const name = key.payload as string;
    filled.set(name, applyDefaults(childFor(defaults, name), element));
  }
  for (const [name, fallback] of defaults.values) {
    const given = filled.get(name);
    if (given === undefined || isNull(given)) filled.set(name, applyDefaults(defaults.children.get(name), fallback));
    else if (given.type.kind !== "dynamic" && range(fallback).notNull) filled.set(name, refine(given, { notNull: true }));
  }
  if (type.kind === "map") {
    if (filled.size === 0) return mapOf(filled, type.element);
    const names = [...filled.keys()].sort();
    const unified = toCommonType(names.map((name) => filled.get(name)!));
    if (unified !== undefined) return mapOf(new Map(names.map((name, index) => [name, unified[index]!])));
  }
  return objectOf(filled);
}

/** Converts values to their common type; undefined if there is none. */
function toCommonType(values: readonly Value[]): readonly Value[] | undefined {
  const common = unifyUnsafe(values.map(({ type }) => type));
  if (common === undefined) return undefined;
  try {
    return values.map((value, index) => common.conversions[index]?.(value) ?? value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
