// SPDX-License-Identifier: Apache-2.0
import type { FlagIn, KnownOptionsOnly, PlanModifier, Validator } from "./attribute-options.ts";
import type { ConfigRule } from "./config-rule.ts";
import type { NestedViews, Nesting } from "./nested-views.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Schema, ValidSchema } from "./schema.ts";
import type { ByMode } from "./value-views.ts";

/** A nested block: configurations write it without an equals sign. */
export interface Block<K extends Nesting, S extends Schema, M extends "required" | "optional"> {
  readonly kind: "block";
  readonly nesting: K;
  readonly body: S;
  readonly options: SingleBlockOptions & RepeatedBlockOptions;
  readonly "~": ByMode<NestedViews<K, S>>[M];
}

/** Options of a block of any nesting. */
export interface BlockOptions<N extends string = string> {
  /** Purpose of the block. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use the block: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  /** Run on the block's whole value if it is wholly known. Its attributes have their own validators. */
  readonly validators?: readonly (Validator<never> | StandardSchema<unknown>)[];
  /** Run on the block's whole value, after the plan modifiers of its attributes. */
  readonly planModifiers?: readonly PlanModifier<unknown>[];
  /** Rules about several of its attributes and blocks. They apply to each element. */
  readonly rules?: readonly ConfigRule<N>[];
}

/** Options of a single block. */
export interface SingleBlockOptions<N extends string = string> extends BlockOptions<N> {
  /** The configuration must contain the block. Default: it may omit it; the value is then null. */
  readonly required?: boolean;
}

/** Options of a list, set or map block. */
export interface RepeatedBlockOptions<N extends string = string> extends BlockOptions<N> {
  /**
   * For lists: the attribute that identifies an element, so that a moved element keeps its recorded values. Default: the position
   * identifies it.
   */
  readonly elementKey?: N;
  /** Minimum number of blocks. Default: 0. */
  readonly min?: number;
  /** Maximum number of blocks. Default: no limit. */
  readonly max?: number;
}

type BlockMode<Required> = Required extends true ? "required" : "optional";

type SingleBlock = <S extends Schema, O extends SingleBlockOptions = {}>(
  body: S & ValidSchema<S>,
  options?: O & KnownOptionsOnly<O, SingleBlockOptions> & SingleBlockOptions<keyof S & string>,
) => Block<"single", S, BlockMode<FlagIn<O, "required">>>;
type RepeatedBlock<K extends Nesting> = <S extends Schema>(
  body: S & ValidSchema<S>,
  options?: RepeatedBlockOptions<keyof S & string>,
) => Block<K, S, "required">;

const of =
  (nesting: Nesting) =>
  (body: object, options: object = {}): never =>
    ({ kind: "block", nesting, body, options }) as never;

/**
 * Constructors of blocks. A group block is never null; list, set and map blocks are empty instead of null. Prefer `nested` in new
 * schemas; blocks serve providers whose schemas already have them.
 *
 * @example
 * block.list({ from: attr.number({ required: true }) }, { min: 1 }).nesting
 * // => "list"
 */
export const block: {
  readonly single: SingleBlock;
  readonly group: <S extends Schema>(body: S & ValidSchema<S>, options?: BlockOptions<keyof S & string>) => Block<"group", S, "required">;
  readonly list: RepeatedBlock<"list">;
  readonly set: RepeatedBlock<"set">;
  readonly map: <S extends Schema>(body: S & ValidSchema<S>, options?: BlockOptions<keyof S & string>) => Block<"map", S, "required">;
} = { single: of("single"), group: of("group"), list: of("list"), set: of("set"), map: of("map") };
