// SPDX-License-Identifier: Apache-2.0
import type {
  AttributeFlags,
  AttributeOptions,
  ValidOptions,
  FlagsOf,
  Mode,
  ModeOf,
  KnownOptionsOnly,
  WithOptions,
} from "./attribute-options.ts";
import type { ConfigRule } from "./config-rule.ts";
import type { NestedViews, Nesting } from "./nested-views.ts";
import type { Schema, ValidSchema } from "./schema.ts";
import type { ByMode } from "./value-views.ts";

/** An attribute that contains attributes, each with its own flags. Protocol 6 only. */
export interface NestedAttribute<K extends Nesting, S extends Schema, M extends Mode> {
  readonly kind: "nested";
  readonly nesting: K;
  readonly attributes: S;
  readonly options: NestedOptions;
  readonly "~": ByMode<NestedViews<K, S>>[M];
  readonly "~mode": M;
}

/** Options of a nested attribute. */
export interface NestedOptions<N extends string = string> extends Omit<AttributeOptions<unknown>, "default"> {
  /**
   * Planned if the configured value is null, as if the configuration contained it: a null inside it takes the default of the inner
   * attribute, and the provider sets computed attributes inside it. Makes the attribute optional and computed.
   */
  readonly default?: unknown;
  /** Rules about several of its attributes. They apply to each element. */
  readonly rules?: readonly ConfigRule<N>[];
  /**
   * For lists: the attribute that identifies an element, so that a moved element keeps its recorded values. Default: the position
   * identifies it.
   */
  readonly elementKey?: N;
}

type NestedOf<K extends Nesting> = <S extends Schema, O extends AttributeFlags, N extends string>(
  attributes: S & ValidSchema<S>,
  options: FlagsOf<O> &
    WithOptions<N> &
    ValidOptions<Omit<O, "rules" | "elementKey">> &
    KnownOptionsOnly<O, NestedOptions> &
    NestedOptions<keyof S & string> & { readonly default?: NestedViews<K, S>["config"] },
) => NestedAttribute<K, S, ModeOf<O, N>>;

const of =
  (nesting: Nesting) =>
  (attributes: object, options: object): never =>
    ({ kind: "nested", nesting, attributes, options }) as never;

/**
 * Constructors of attributes that contain attributes, each with its own flags.
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
