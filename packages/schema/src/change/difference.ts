// SPDX-License-Identifier: Apache-2.0
import type { Path, Type, Value } from "@tenon/cty";
import type { Block, NestedBlockMode } from "../model/schema.ts";
import { blockDifference } from "./difference-of-block.ts";
import { rootChange } from "./side-by-side.ts";

/** What happens to a value, an element or a block. */
export type DifferenceAction = "noOp" | "create" | "update" | "delete";

/** How one value, or one block, differs from another: a tree with the differences of what is inside. */
export interface Difference {
  readonly action: DifferenceAction;
  /** The change here is one that cannot be made in place. */
  readonly forcesReplacement: boolean;
  /** Without a mark of its own; absent where there is nothing, or null, before. */
  readonly before?: Value;
  /** Without a mark of its own; absent where there is nothing, null or something unknown afterwards. */
  readonly after?: Value;
  readonly content: DifferenceContent;
}

/** What a {@link Difference} is between. */
export type DifferenceContent =
  /** Strings, numbers, bools, null, and capsules; of the type that was declared, if one was. */
  | { readonly kind: "primitive"; readonly type: Type }
  /** It is not known yet what will be there. `before` tells of what is there now, as if it went. */
  | { readonly kind: "unknown"; readonly before?: Difference }
  /** The value must not be shown; `inner` knows it all the same. */
  | { readonly kind: "sensitive"; readonly inner: Difference; readonly before: boolean; readonly after: boolean }
  /** Null before and afterwards: what was configured went to the provider. */
  | { readonly kind: "writeOnly" }
  /** One type of value takes the place of another. */
  | { readonly kind: "typeChange"; readonly before: Difference; readonly after: Difference }
  /** `nested`: with a schema of its own. Attributes that are null on both sides are left out. */
  | { readonly kind: "object"; readonly nested: boolean; readonly attributes: ReadonlyMap<string, Difference> }
  | { readonly kind: "map"; readonly nested: boolean; readonly elements: ReadonlyMap<string, Difference> }
  | { readonly kind: "list"; readonly nested: boolean; readonly elements: readonly Difference[] }
  | { readonly kind: "set"; readonly nested: boolean; readonly elements: readonly Difference[] }
  /** A block. Attributes and blocks that are not there on either side are left out. */
  | {
      readonly kind: "block";
      readonly attributes: ReadonlyMap<string, Difference>;
      readonly blocks: ReadonlyMap<string, BlockDifferences>;
    };

/** How the nested blocks of one name differ. */
export interface BlockDifferences {
  readonly nesting: NestedBlockMode;
  readonly forcesReplacement: boolean;
  /** What the blocks hold must not be shown. */
  readonly sensitive: { readonly before: boolean; readonly after: boolean };
  /** In order; those of a map have keys. */
  readonly blocks: readonly { readonly key?: string; readonly difference: Difference }[];
}

/** What else decides about a difference. */
export interface DifferenceOptions {
  /** Paths at which a change forces replacement. */
  readonly requiresReplace?: readonly Path[];
  /** Whether a mark on a value means that it must not be shown; every mark does where nothing is said. */
  readonly isSensitiveMark?: (mark: unknown) => boolean;
}

/**
 * How two values of a block differ, as data. `before` is null for a create, `after` for a delete; `after` may hold unknown values.
 * What the schema, or a mark, calls sensitive says so. Elements of lists are matched by longest common subsequence, of nested
 * attributes and blocks by position, of maps by key; elements of sets are there or not.
 *
 * @see OpenTofu internal/command/jsonformat/differ
 *
 * @example
 * const block = createBlock({ attributes: { size: createAttribute({ type: number, optional: true }) } });
 * const value = (size: number) => of(impliedType(block), { size });
 * difference(block, value(1), value(2)).action
 * // => "update"
 */
export function difference(block: Block, before: Value, after: Value, options: DifferenceOptions = {}): Difference {
  return blockDifference(rootChange(before, after, options), block);
}
