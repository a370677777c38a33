// SPDX-License-Identifier: Apache-2.0
import type { AttributeOptions, Checked, Mode, ModeOf, NoOthers } from "./attribute-options.ts";
import type { ConfigRule } from "../rules/rule.ts";
import type { NestedViews, Nesting } from "./nested-views.ts";
import type { Schema, Sound } from "./schema.ts";
import type { ByMode } from "./value-views.ts";

/** An attribute that has attributes, each with flags of its own. Protocol 6 only. */
export interface NestedAttribute<K extends Nesting, S extends Schema, M extends Mode> {
  readonly kind: "nested";
  readonly nesting: K;
  readonly attributes: S;
  readonly options: NestedOptions;
  readonly "~": ByMode<NestedViews<K, S>>[M];
  readonly "~mode": M;
}

/** What is said about a nested attribute. */
export interface NestedOptions<N extends string = string> extends Omit<AttributeOptions<unknown>, "default"> {
  /**
   * Taken when the configuration has null, as if it had been written there: null in it takes the default of the attribute inside, and
   * what is computed inside is the provider's to say. Makes the attribute optional and computed.
   */
  readonly default?: unknown;
  /** About more than one of its attributes, in each of its elements. */
  readonly rules?: readonly ConfigRule<N>[];
  /**
   * Of lists: the attribute that tells elements apart, so that one that has moved keeps what is recorded of it. Default: they are told
   * apart by position.
   */
  readonly elementKey?: N;
}

type NestedOf<K extends Nesting> = <S extends Schema, O extends NestedOptions>(
  attributes: S & Sound<S>,
  options: O &
    Checked<Omit<O, "rules" | "elementKey">> &
    NoOthers<O, NestedOptions> &
    NestedOptions<keyof S & string> & { readonly default?: NestedViews<K, S>["config"] },
) => NestedAttribute<K, S, ModeOf<O>>;

const of =
  (nesting: Nesting) =>
  (attributes: object, options: object): never =>
    ({ kind: "nested", nesting, attributes, options }) as never;

/**
 * Attributes that have attributes, each with flags of its own.
 *
 * @example
 * nested.list({ port: attr.number({ required: true }) }, { optional: true }).nesting
 * // => "list"
 */
export const nested: {
  readonly single: NestedOf<"single">;
  readonly list: NestedOf<"list">;
  readonly set: NestedOf<"set">;
  readonly map: NestedOf<"map">;
} = { single: of("single"), list: of("list"), set: of("set"), map: of("map") };
