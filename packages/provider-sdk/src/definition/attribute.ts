// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Unknown } from "@tenon/schema";
import type {
  AttributeFlags,
  AttributeOptions,
  FlagsOf,
  Invalid,
  Mode,
  ModeOf,
  OrNull,
  ValidOptions,
  WithOptions,
} from "./attribute-options.ts";
import type { ByMode, PlainViews } from "./value-views.ts";

/** The kind of an attribute's value in TypeScript. `number`, `bigint` and `decimal` are one type on the wire. */
export type AttributeKind = "string" | "number" | "bigint" | "decimal" | "bool" | "dynamic" | "list" | "set" | "map" | "object";

/** An attribute, or (mode `bare`) the type of an element, member, parameter or result. */
export interface Attribute<Known, M extends Mode, Draft = Known> {
  readonly kind: AttributeKind;
  readonly options: AttributeOptions<Known>;
  /** Type only: the value's type in each context. */
  readonly "~": ByMode<PlainViews<Known, Draft>>[M];
  /** Type only: the mode that the flags define. */
  readonly "~mode": M;
  /** Type only: the value's type where the attribute is used as a bare type. */
  readonly "~type": M extends "bare"
    ? { known: Known; draft: Draft }
    : Invalid<"an element, member, parameter or result cannot set required, optional, computed or default">;
}

/** A type for an element, member, parameter or result. */
export interface AnyType {
  readonly "~type": { known: unknown; draft: unknown };
}

type Known<E extends AnyType> = E["~type"]["known"];
type Draft<E extends AnyType> = E["~type"]["draft"];

/** The type of an object with the given members. */
export interface Members<M> {
  readonly known: { readonly [N in keyof M]: M[N] extends AnyType ? Known<M[N]> : never };
  readonly draft: { readonly [N in keyof M]: M[N] extends AnyType ? Draft<M[N]> | Unknown : never };
}

/** The options of an attribute whose values are `T`, as the constructors infer them: with the flags `O`, and with the names `N`. */
type Options<O, N extends string, T> = FlagsOf<O> & WithOptions<N> & ValidOptions<O> & AttributeOptions<T>;

type Plain<T> = <O extends AttributeFlags = {}, N extends string = never>(
  options?: Options<O, N, T>,
) => Attribute<T | OrNull<O>, ModeOf<O, N>>;

type Listed = <E extends AnyType, O extends AttributeFlags = {}, N extends string = never>(
  element: E,
  options?: Options<O, N, readonly Known<E>[]>,
) => Attribute<readonly Known<E>[] | OrNull<O>, ModeOf<O, N>, readonly (Draft<E> | Unknown)[] | OrNull<O>>;

/** See {@link attr}. */
export interface AttributeConstructors {
  readonly string: Plain<string>;
  /**
   * The nearest double; plan and state keep the exact number. An integer beyond 2^53 that is not exactly representable as a double
   * is an error.
   */
  readonly number: Plain<number>;
  /** An integer of any size. */
  readonly bigint: Plain<bigint>;
  /** Any number, as decimal text. */
  readonly decimal: Plain<string>;
  readonly bool: Plain<boolean>;
  /** A value of any type, as a cty value. */
  readonly dynamic: Plain<Value>;
  readonly list: Listed;
  /** Handlers receive an array in canonical order, because elements may be objects and several may be unknown. */
  readonly set: Listed;
  readonly map: <E extends AnyType, O extends AttributeFlags = {}, N extends string = never>(
    element: E,
    options?: Options<O, N, Readonly<Record<string, Known<E>>>>,
  ) => Attribute<Readonly<Record<string, Known<E>>> | OrNull<O>, ModeOf<O, N>, Readonly<Record<string, Draft<E> | Unknown>> | OrNull<O>>;
  /** An object that a configuration sets as a whole. For attributes with flags of their own, use `nested`. */
  readonly object: <M extends Readonly<Record<string, AnyType>>, O extends AttributeFlags = {}, N extends string = never>(
    members: M,
    options?: Options<O, N, Members<M>["known"]>,
  ) => Attribute<Members<M>["known"] | OrNull<O>, ModeOf<O, N>, Members<M>["draft"] | OrNull<O>>;
}

const plain =
  (kind: AttributeKind) =>
  (options: object = {}): object => ({ kind, options });
const collection =
  (kind: AttributeKind) =>
  (element: AnyType, options: object = {}): object => ({ kind, element, options });
const object = (members: Readonly<Record<string, AnyType>>, options: object = {}): object => ({ kind: "object", members, options });

/**
 * Constructors of attributes and types.
 *
 * With `required`, `optional`, `computed` or `default` the result is an attribute of a schema. Without them it is a bare type: the type
 * of an element, member, parameter or result.
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
  // "~", "~mode" and "~type" exist in the types only.
} as unknown as AttributeConstructors;
