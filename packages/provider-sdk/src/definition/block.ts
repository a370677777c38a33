// SPDX-License-Identifier: Apache-2.0
import type { NoOthers, PlanModifier, Validator } from "./attribute-options.ts";
import type { ConfigRule } from "../rules/rule.ts";
import type { NestedViews, Nesting } from "./nested-views.ts";
import type { StandardSchema } from "../validators/standard-schema.ts";
import type { Schema, Sound } from "./schema.ts";
import type { ByMode } from "./value-views.ts";

/** A block below a block, written without an equals sign. */
export interface Block<K extends Nesting, S extends Schema, M extends "required" | "optional"> {
  readonly kind: "block";
  readonly nesting: K;
  readonly body: S;
  readonly options: SingleBlockOptions & RepeatedBlockOptions;
  readonly "~": ByMode<NestedViews<K, S>>[M];
}

export interface BlockOptions<N extends string = string> {
  /** What it is for. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever writes the block is warned with it. */
  readonly deprecated?: string;
  /** Run on all of it, when it is wholly known. Each of its attributes has validators of its own. */
  readonly validators?: readonly (Validator<never> | StandardSchema<unknown>)[];
  /** Run on all of it, after those of its attributes. */
  readonly planModifiers?: readonly PlanModifier<unknown>[];
  /** About more than one of its attributes and blocks, in each of its elements. */
  readonly rules?: readonly ConfigRule<N>[];
}

export interface SingleBlockOptions<N extends string = string> extends BlockOptions<N> {
  /** It must be written. Default: it may be left out, and is null then. */
  readonly required?: true;
}

export interface RepeatedBlockOptions<N extends string = string> extends BlockOptions<N> {
  /**
   * Of lists: the attribute that tells elements apart, so that one that has moved keeps what is recorded of it. Default: they are told
   * apart by position.
   */
  readonly elementKey?: N;
  /** At least this many. Default 0. */
  readonly min?: number;
  /** At most this many. Default: any number. */
  readonly max?: number;
}

type SingleBlock = <S extends Schema, O extends SingleBlockOptions = {}>(
  body: S & Sound<S>,
  options?: O & NoOthers<O, SingleBlockOptions> & SingleBlockOptions<keyof S & string>,
) => Block<"single", S, O extends { readonly required: true } ? "required" : "optional">;
type RepeatedBlock<K extends Nesting> = <S extends Schema>(
  body: S & Sound<S>,
  options?: RepeatedBlockOptions<keyof S & string>,
) => Block<K, S, "required">;

const of =
  (nesting: Nesting) =>
  (body: object, options: object = {}): never =>
    ({ kind: "block", nesting, body, options }) as never;

/**
 * Blocks. A group is never null; list, set and map blocks are empty rather than null. New schemas are better off with
 * {@link nested}; blocks are there for providers that exist already.
 *
 * @example
 * block.list({ from: attr.number({ required: true }) }, { min: 1 }).nesting
 * // => "list"
 */
export const block: {
  readonly single: SingleBlock;
  readonly group: <S extends Schema>(body: S & Sound<S>, options?: BlockOptions<keyof S & string>) => Block<"group", S, "required">;
  readonly list: RepeatedBlock<"list">;
  readonly set: RepeatedBlock<"set">;
  readonly map: <S extends Schema>(body: S & Sound<S>, options?: BlockOptions<keyof S & string>) => Block<"map", S, "required">;
} = { single: of("single"), group: of("group"), list: of("list"), set: of("set"), map: of("map") };
