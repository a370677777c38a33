// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, PathStep, Type, Value } from "@tenon/cty";
import type { PlanModifier, Validator } from "../definition/attribute-options.ts";
import type { Nesting } from "../definition/nested-views.ts";
import type { ConfigRule } from "../rules/rule.ts";

/** What a value looks like from both sides: its cty type, and what an author sees of it. Compiled once from a definition. */
export type Shape = PrimitiveShape | CollectionShape | ObjectShape;

export interface PrimitiveShape {
  /** Three of them are numbers on the wire. */
  readonly kind: "string" | "number" | "bigint" | "decimal" | "bool" | "dynamic";
  readonly type: Type;
  /** Null is a value of it, whatever the flags of the attribute it belongs to say. */
  readonly nullable: boolean;
  readonly hasDynamic: boolean;
}

export interface CollectionShape {
  readonly kind: "list" | "set" | "map";
  readonly type: Type;
  readonly element: Shape;
  /** What each element has to pass; null and unknown ones never get there. */
  readonly elementValidators: readonly Validator<unknown>[];
  /** Whether two elements mean the same. */
  readonly elementEquivalent?: (a: unknown, b: unknown) => boolean;
  readonly nullable: boolean;
  /** Never: a collection with something dynamic inside is a fault of the schema. */
  readonly hasDynamic: false;
}

/** A schema, the body of a block, what a nested attribute holds, or an object whose members have no flags. */
export interface ObjectShape {
  readonly kind: "object";
  /** Where something inside is dynamic, the type of a value differs from this. */
  readonly type: ObjectType;
  /** By name in code point order: the order of the slots in a payload. */
  readonly entries: readonly EntryShape[];
  readonly byName: ReadonlyMap<string, EntryShape>;
  /** About more than one entry of the same object. */
  readonly rules?: readonly ConfigRule<string>[];
  readonly nullable: boolean;
  readonly hasDynamic: boolean;
}

/** Anything that has a name in an object. */
export interface EntryShape {
  readonly name: string;
  /** Position in {@link ObjectShape.entries} and in payloads. */
  readonly slot: number;
  readonly step: PathStep;
  /** `member`: of an `attr.object`, without flags. `attribute` holds its value as a whole; the others have entries inside. */
  readonly kind: "member" | "attribute" | "nested" | "block";
  readonly shape: Shape;
  /** Of nested attributes and blocks. */
  readonly nesting?: Nesting;
  /** Of lists of them: what tells elements apart, where that is not their position. */
  readonly elementKey?: EntryShape;
  /** Blocks say it too: a single one that must be written. */
  readonly required: boolean;
  readonly optional: boolean;
  /** Also where there is a default. */
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
  /** Whether a configuration may hold it. */
  readonly configurable: boolean;
  /** Null may be what the configuration has. */
  readonly configNullable: boolean;
  /** Null may be what is planned and recorded. */
  readonly stateNullable: boolean;
  readonly default?: Value;
  readonly equivalent?: (a: unknown, b: unknown) => boolean;
  /** Of blocks that repeat; 0 at the top means no limit. */
  readonly minItems: number;
  readonly maxItems: number;
  readonly description: string;
  readonly deprecated?: string;
  readonly validators: readonly Validator<unknown>[];
  readonly planModifiers: readonly PlanModifier<unknown>[];
}

/** Has it entries of its own, each with flags? */
export function hasEntries(entry: EntryShape): boolean {
  return entry.kind === "nested" || entry.kind === "block";
}

/** What a nested attribute or block repeats. */
export function bodyOf(entry: EntryShape): ObjectShape {
  return (entry.shape.kind === "object" ? entry.shape : (entry.shape as CollectionShape).element) as ObjectShape;
}
