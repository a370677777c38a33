// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Unknown } from "../unknown.ts";
import type { AttributeOptions, Checked, Mode, ModeOf, OrNull, Problem } from "./attribute-options.ts";
import type { ByMode, PlainViews } from "./value-views.ts";

/** What an attribute holds, as its author sees it: three kinds of numbers are one type on the wire. */
export type AttributeKind = "string" | "number" | "bigint" | "decimal" | "bool" | "dynamic" | "list" | "set" | "map" | "object";

/** An attribute, or (`bare`) a type: what an element, a member, a parameter or a result is. */
export interface Attribute<Known, M extends Mode, Draft = Known> {
  readonly kind: AttributeKind;
  readonly options: AttributeOptions<Known>;
  /** Type only: how it looks from each place. */
  readonly "~": ByMode<PlainViews<Known, Draft>>[M];
  /** Type only: how it gets its value. */
  readonly "~mode": M;
  /** Type only: what it is as a bare type. */
  readonly "~type": M extends "bare"
    ? { known: Known; draft: Draft }
    : Problem<"an element, member, parameter or result has no required, optional, computed or default">;
}

/** Anything that can be an element, a member, a parameter or a result. */
export interface AnyType {
  readonly "~type": { known: unknown; draft: unknown };
}

type Known<E extends AnyType> = E["~type"]["known"];
type Draft<E extends AnyType> = E["~type"]["draft"];

/** What the members of an object type are together. */
export interface Members<M> {
  readonly known: { readonly [N in keyof M]: M[N] extends AnyType ? Known<M[N]> : never };
  readonly draft: { readonly [N in keyof M]: M[N] extends AnyType ? Draft<M[N]> | Unknown : never };
}

/** `O` is what was written; `AttributeOptions` stands beside it so that an editor still offers what is missing. */
type Plain<T> = <O extends AttributeOptions<T> = {}>(options?: O & Checked<O> & AttributeOptions<T>) => Attribute<T | OrNull<O>, ModeOf<O>>;

type Listed = <E extends AnyType, O extends AttributeOptions<readonly Known<E>[]> = {}>(
  element: E,
  options?: O & Checked<O> & AttributeOptions<readonly Known<E>[]>,
) => Attribute<readonly Known<E>[] | OrNull<O>, ModeOf<O>, readonly (Draft<E> | Unknown)[] | OrNull<O>>;

/** See {@link attr}. */
export interface AttributeConstructors {
  readonly string: Plain<string>;
  /** A double. A number that no double can hold is a diagnostic, never rounded. */
  readonly number: Plain<number>;
  /** A whole number of any size. */
  readonly bigint: Plain<bigint>;
  /** Any number, as decimal text. */
  readonly decimal: Plain<string>;
  readonly bool: Plain<boolean>;
  /** A value of any type, as a cty value. */
  readonly dynamic: Plain<Value>;
  readonly list: Listed;
  /** Handed out as an array in canonical order: elements may be objects, and more than one may be unknown. */
  readonly set: Listed;
  readonly map: <E extends AnyType, O extends AttributeOptions<Readonly<Record<string, Known<E>>>> = {}>(
    element: E,
    options?: O & Checked<O> & AttributeOptions<Readonly<Record<string, Known<E>>>>,
  ) => Attribute<Readonly<Record<string, Known<E>>> | OrNull<O>, ModeOf<O>, Readonly<Record<string, Draft<E> | Unknown>> | OrNull<O>>;
  /** An object that is set as a whole. Attributes with flags of their own are {@link nested}. */
  readonly object: <M extends Readonly<Record<string, AnyType>>, O extends AttributeOptions<Members<M>["known"]> = {}>(
    members: M,
    options?: O & Checked<O> & AttributeOptions<Members<M>["known"]>,
  ) => Attribute<Members<M>["known"] | OrNull<O>, ModeOf<O>, Members<M>["draft"] | OrNull<O>>;
}

const plain =
  (kind: AttributeKind) =>
  (options: object = {}): object => ({ kind, options });
const collection =
  (kind: AttributeKind) =>
  (element: AnyType, options: object = {}): object => ({ kind, element, options });
const object = (members: Readonly<Record<string, AnyType>>, options: object = {}): object => ({ kind: "object", members, options });

/**
 * Attributes and types.
 *
 * With one of `required`, `optional`, `computed`, `default` it is an attribute of a schema; without, a type: an element, a
 * member, a parameter, a result.
 *
 * @example
 * attr.map(attr.string(), { optional: true }).kind
 * // => "map"
 */
export const attr: AttributeConstructors = {
  string: plain("string"),
  number: plain("number"),
  bigint: plain("bigint"),
  decimal: plain("decimal"),
  bool: plain("bool"),
  dynamic: plain("dynamic"),
  list: collection("list"),
  set: collection("set"),
  map: collection("map"),
  object,
  // The parts that exist in the types only have no run-time counterpart.
} as unknown as AttributeConstructors;
