// SPDX-License-Identifier: Apache-2.0
import type { Path, Type, Value } from "@tenon/cty";
import type { NestedBlockMode } from "../model/schema.ts";

/** Action on a value, an element or a block. */
export type DifferenceAction = "noOp" | "create" | "update" | "delete";

/** Difference of two values, or of two blocks: a tree with the differences of their parts. */
export interface Difference {
  readonly action: DifferenceAction;
  /** Whether the change of this value cannot be made in place. */
  readonly forcesReplacement: boolean;
  /** Value before, unmarked at the top; absent where no value existed or it is null. */
  readonly before?: Value;
  /** Value after, unmarked at the top; absent where no value exists or it is null or unknown. */
  readonly after?: Value;
  readonly content: DifferenceContent;
}

/** Parts of a {@link Difference}, by kind of value. */
export type DifferenceContent =
  /** String, number, bool, capsule or null. `type` is the declared type, or that of the value where none is declared. */
  | { readonly kind: "primitive"; readonly type: Type }
  /** The value after is unknown. `before` is the difference of the value before to nothing. */
  | { readonly kind: "unknown"; readonly before?: Difference }
  /** The value must not be shown. `inner` is the difference itself; `before` and `after` say which side is sensitive. */
  | { readonly kind: "sensitive"; readonly inner: Difference; readonly before: boolean; readonly after: boolean }
  /** A write-only attribute, which is null on both sides. */
  | { readonly kind: "writeOnly" }
  /** A value of one type replaces a value of another type. */
  | { readonly kind: "typeChange"; readonly before: Difference; readonly after: Difference }
  /** `nested`: whether the attributes have a schema. Attributes that are null on both sides are left out. */
  | { readonly kind: "object"; readonly nested: boolean; readonly attributes: ReadonlyMap<string, Difference> }
  | { readonly kind: "map"; readonly nested: boolean; readonly elements: ReadonlyMap<string, Difference> }
  | { readonly kind: "list"; readonly nested: boolean; readonly elements: readonly Difference[] }
  | { readonly kind: "set"; readonly nested: boolean; readonly elements: readonly Difference[] }
  /** A block. Attributes and blocks that are absent on both sides are left out. */
  | {
      readonly kind: "block";
      readonly attributes: ReadonlyMap<string, Difference>;
      readonly blocks: ReadonlyMap<string, BlockDifferences>;
    };

/** Differences of the nested blocks of one name. */
export interface BlockDifferences {
  readonly nesting: NestedBlockMode;
  /** Whether a change of any of the blocks cannot be made in place. */
  readonly forcesReplacement: boolean;
  /** Whether the content of the blocks must not be shown, on either side. */
  readonly sensitive: { readonly before: boolean; readonly after: boolean };
  /** The blocks in order. Blocks of a map have keys. */
  readonly blocks: readonly { readonly key?: string; readonly difference: Difference }[];
}

/** Options of {@link difference}. */
export interface DifferenceOptions {
  /** Paths at which a change forces replacement. Default: none. */
  readonly requiresReplace?: readonly Path[];
  /** Paths to which the comparison is limited: what is neither at, above nor below one of them counts as unchanged. Default: no limit. */
  readonly relevantPaths?: readonly Path[];
  /** Whether a mark makes a value sensitive. Default: every mark does. */
  readonly isSensitiveMark?: (mark: unknown) => boolean;
  /**
   * Whether a set with a sensitive attribute in one of its elements is hidden as a whole, because an element could be recognised by it.
   * A caller that passes the marks of a plan or state sets it to false: these marks say which sets are hidden. Default: true.
   */
  readonly hidesSets?: boolean;
}
