// SPDX-License-Identifier: Apache-2.0
import { attributeStep, bool, dynamic, list, map, number, object, set, string, type ObjectType, type Type } from "@tenon/cty";
import type { AttributeKind } from "../definition/attribute.ts";
import type { AttributeOptions } from "../definition/attribute-options.ts";
import { compiledValidators } from "../validators/standard-schema.ts";
import type { Faults } from "./fault.ts";
import { nameFault } from "./names.ts";
import type { CollectionShape, EntryShape, ObjectShape, PrimitiveShape, Shape } from "../shape/shape.ts";

/** The result of an `attr.…` constructor at run time. */
export interface WrittenType {
  readonly kind: AttributeKind;
  readonly options: AttributeOptions<unknown>;
  readonly element?: WrittenType;
  readonly members?: Readonly<Record<string, WrittenType>>;
}

const primitiveTypes: Readonly<Record<PrimitiveShape["kind"], Type>> = {
  string,
  number,
  bigint: number,
  decimal: number,
  bool,
  dynamic,
};
const collectionTypes = { list, set, map } as const;

const isPrimitive = (kind: string): kind is PrimitiveShape["kind"] => Object.hasOwn(primitiveTypes, kind);
const isCollection = (kind: string): kind is CollectionShape["kind"] => Object.hasOwn(collectionTypes, kind);

/** Whether a value is the result of an `attr.…` constructor. */
export function isWrittenType(written: unknown): written is WrittenType {
  return (
    typeof written === "object" &&
    written !== null &&
    "kind" in written &&
    "options" in written &&
    (isPrimitive(String(written.kind)) || isCollection(String(written.kind)) || written.kind === "object")
  );
}

/**
 * Compiles the shape of an attribute's value.
 *
 * @param inCollection whether the value is inside a collection, where dynamic types are a fault: all elements must be of one type.
 */
export function valueShape(written: WrittenType, path: readonly string[], faults: Faults, inCollection: boolean): Shape {
  const nullable = written.options.nullable === true;
  const { kind } = written;
  if (isPrimitive(kind)) {
    if (kind === "dynamic" && inCollection)
      faults.add(path, "a dynamic type cannot be inside a collection, because its elements must be of one type");
    return { kind, type: primitiveTypes[kind], nullable, hasDynamic: kind === "dynamic" && !inCollection };
  }
  if (isCollection(kind)) return collectionShape(kind, written, path, faults);
  const members = Object.entries(written.members ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) faults.add(path, "an object type must have members");
  const entries = members.map(([name, member], slot): EntryShape => memberShape(name, slot, member, path, faults, inCollection));
  return objectShape(entries, nullable);
}

function collectionShape(kind: CollectionShape["kind"], written: WrittenType, path: readonly string[], faults: Faults): CollectionShape {
  const { element } = written;
  const nullable = written.options.nullable === true;
  if (!isWrittenType(element)) {
    faults.add(path, `a ${kind} must have an element type, such as attr.${kind}(attr.string())`);
    return collectionOf(kind, { kind: "string", type: string, nullable: false, hasDynamic: false }, nullable, []);
  }
  refuseFlags(element, path, "an element type", faults);
  const collection = collectionOf(kind, valueShape(element, path, faults, true), nullable, compiledValidators(element.options.validators));
  const { equivalent } = element.options;
  return equivalent === undefined ? collection : { ...collection, elementEquivalent: equivalent };
}

/** Returns the shape of a collection with the given element shape. */
export function collectionOf(
  kind: CollectionShape["kind"],
  element: Shape,
  nullable: boolean,
  elementValidators: CollectionShape["elementValidators"],
): CollectionShape {
  return { kind, type: collectionTypes[kind](element.type), element, elementValidators, nullable, hasDynamic: false };
}

/** Returns the shape of an object. `entries` must be in code point order of their names. */
export function objectShape(entries: readonly EntryShape[], nullable: boolean): ObjectShape {
  return {
    kind: "object",
    type: object(Object.fromEntries(entries.map((entry) => [entry.name, entry.shape.type]))) as ObjectType,
    entries,
    byName: new Map(entries.map((entry) => [entry.name, entry])),
    nullable,
    hasDynamic: entries.some((entry) => entry.shape.hasDynamic),
  };
}

function memberShape(
  name: string,
  slot: number,
  written: WrittenType,
  parent: readonly string[],
  faults: Faults,
  inCollection: boolean,
): EntryShape {
  const path = [...parent, name];
  const wrong = nameFault(name, "resource", false);
  if (wrong !== undefined) faults.add(path, wrong);
  refuseFlags(written, path, "a member of an object type", faults);
  const shape = valueShape(written, path, faults, inCollection);
  return {
    name,
    slot,
    step: attributeStep(name),
    kind: "member",
    shape,
    required: false,
    optional: false,
    computed: false,
    sensitive: false,
    writeOnly: false,
    configurable: true,
    configNullable: shape.nullable,
    stateNullable: shape.nullable,
    minItems: 0,
    maxItems: 0,
    description: written.options.description ?? "",
    ...(written.options.equivalent === undefined ? {} : { equivalent: written.options.equivalent }),
    validators: compiledValidators(written.options.validators),
    planModifiers: [],
  };
}

/** Rejects flags on a bare type: that of an element, member, parameter or result. */
export function refuseFlags(written: WrittenType, path: readonly string[], what: string, faults: Faults): void {
  const { options } = written;
  for (const flag of ["required", "optional", "computed", "sensitive", "writeOnly", "default", "planModifiers", "deprecated"] as const) {
    if (options[flag] !== undefined) faults.add(path, `${what} cannot set ${flag}`);
  }
}
