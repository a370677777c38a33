// SPDX-License-Identifier: Apache-2.0
import type { CapsuleOps } from "./capsule-ops.ts";

/** The type of strings. */
export interface StringType {
  readonly kind: "string";
}
/** The type of numbers. */
export interface NumberType {
  readonly kind: "number";
}
/** The type of booleans. */
export interface BoolType {
  readonly kind: "bool";
}
/** The type of a value whose type is not known yet, and the type constraint that every type meets. */
export interface DynamicType {
  readonly kind: "dynamic";
}
/** The type of lists whose elements have one type. */
export interface ListType<Element extends Type = Type> {
  readonly kind: "list";
  /** Type of every element. */
  readonly element: Element;
}
/** The type of sets whose elements have one type. */
export interface SetType<Element extends Type = Type> {
  readonly kind: "set";
  /** Type of every element. */
  readonly element: Element;
}
/** The type of maps from strings to elements of one type. */
export interface MapType<Element extends Type = Type> {
  readonly kind: "map";
  /** Type of every element. */
  readonly element: Element;
}
/** The type of objects: a fixed set of attributes, each with its own type. */
export interface ObjectType<
  Attributes extends Readonly<Record<string, Type>> = Readonly<Record<string, Type>>,
  Optional extends string = string,
> {
  readonly kind: "object";
  /** Type of each attribute. The record has no prototype; its keys are in the order of {@link names}. */
  readonly attributes: Attributes;
  /** Attribute names in code point order, which is the order of the slots in a value's payload. */
  readonly names: readonly string[];
  /** Index of each attribute in {@link names}. */
  readonly slots: ReadonlyMap<string, number>;
  /** Names of the attributes that a conversion may leave out, in code point order. Only conversion and type equality use them. */
  readonly optionalNames: readonly string[];
  /** Carries the names of the optional attributes at compile time. Never present at run time. */
  readonly optionals?: () => Optional;
}
/** The type of tuples: a fixed number of elements, each with its own type. */
export interface TupleType<Elements extends readonly Type[] = readonly Type[]> {
  readonly kind: "tuple";
  /** Type of each element. */
  readonly elements: Elements;
}
/** A type of opaque native values. It is equal only to itself. */
export interface CapsuleType<Native = unknown> {
  readonly kind: "capsule";
  /** Name used in messages. */
  readonly name: string;
  /** Operations on the type's native values. They must not be called with natives of another type. */
  readonly ops: CapsuleOps;
  /** Carries the type of the native values at compile time. Never present at run time. */
  readonly native?: () => Native;
}

/** A type. Equal types are the same object, so they can be compared with `===`. */
export type Type = StringType | NumberType | BoolType | DynamicType | ListType | SetType | MapType | ObjectType | TupleType | CapsuleType;

/** A type whose values have no parts. */
export type PrimitiveType = StringType | NumberType | BoolType;
/** A type whose values hold any number of elements of one type. */
export type CollectionType = ListType | SetType | MapType;

/** An attribute that a conversion to the object type may leave out. */
export interface OptionalAttribute<T extends Type = Type> {
  readonly kind: "optional";
  /** Type of the attribute. */
  readonly type: T;
}
