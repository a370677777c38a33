// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, PathStep, Type, Value } from "@tenon/cty";
import type { PlanModifier, Validator } from "../definition/attribute-options.ts";
import type { Nesting } from "../definition/nested-views.ts";
import type { ConfigRule } from "../definition/config-rule.ts";

/** A compiled description of a value: its cty type and its TypeScript representation. */
export type Shape = PrimitiveShape | CollectionShape | ObjectShape;

/** The shape of a value without elements or members. */
export interface PrimitiveShape {
  /** `number`, `bigint` and `decimal` are numbers on the wire. */
  readonly kind: "string" | "number" | "bigint" | "decimal" | "bool" | "dynamic";
  readonly type: Type;
  /** Whether the type itself allows null, regardless of the attribute's flags. */
  readonly nullable: boolean;
  readonly hasDynamic: boolean;
}

/** The shape of a list, set or map. */
export interface CollectionShape {
  readonly kind: "list" | "set" | "map";
  readonly type: Type;
  readonly element: Shape;
  /** Validators of each element. They skip null and unknown elements. */
  readonly elementValidators: readonly Validator<unknown>[];
  /** Whether two elements mean the same. */
  readonly elementEquivalent?: (a: unknown, b: unknown) => boolean;
  readonly nullable: boolean;
  /** Always false: a dynamic type inside a collection is a fault of the schema. */
  readonly hasDynamic: false;
}

/** The shape of an object: a whole schema, the body of a block or nested attribute, or an `attr.object`, whose members have no flags. */
export interface ObjectShape {
  readonly kind: "object";
  /** The type. The type of a value differs from it if the object contains dynamic attributes. */
  readonly type: ObjectType;
  /** Entries in code point order of their names: the order of the slots in a payload. */
  readonly entries: readonly EntryShape[];
  readonly byName: ReadonlyMap<string, EntryShape>;
  /** Rules about several entries of the object. */
  readonly rules?: readonly ConfigRule<string>[];
  readonly nullable: boolean;
  readonly hasDynamic: boolean;
}

/** The shape of a member, attribute, nested attribute or block. */
export interface EntryShape {
  readonly name: string;
  /** Position in {@link ObjectShape.entries} and in payloads. */
  readonly slot: number;
  readonly step: PathStep;
  /** `member`: a member of an `attr.object`, without flags. `attribute`: without entries of its own. The other kinds have entries. */
  readonly kind: "member" | "attribute" | "nested" | "block";
  readonly shape: Shape;
  /** Nesting mode of a nested attribute or block. */
  readonly nesting?: Nesting;
  /** The attribute that identifies elements of a list of nested objects or blocks; undefined: the position identifies them. */
  readonly elementKey?: EntryShape;
  /** Whether a configuration must set it. A single block may also be required. */
  readonly required: boolean;
  readonly optional: boolean;
  /** Whether the provider may set it: it is computed, or has a default. */
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
  /** Whether a configuration may set it. */
  readonly configurable: boolean;
  /** Whether it may be null in a configuration. */
  readonly configNullable: boolean;
  /** Whether it may be null in a plan and in recorded state. */
  readonly stateNullable: boolean;
  readonly default?: Value;
  readonly equivalent?: (a: unknown, b: unknown) => boolean;
  /** Minimum number of repeated blocks. */
  readonly minItems: number;
  /** Maximum number of repeated blocks; 0 means no limit. */
  readonly maxItems: number;
  readonly description: string;
  readonly deprecated?: string;
  readonly validators: readonly Validator<unknown>[];
  readonly planModifiers: readonly PlanModifier<unknown>[];
}

/** Whether the entry has entries with flags of their own. */
export function hasEntries(entry: EntryShape): boolean {
  return entry.kind === "nested" || entry.kind === "block";
}

/** Returns the shape of one object of a nested attribute or block. */
export function bodyOf(entry: EntryShape): ObjectShape {
  return (entry.shape.kind === "object" ? entry.shape : (entry.shape as CollectionShape).element) as ObjectShape;
}
