// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/** How a description is written. */
export type DescriptionKind = "plain" | "markdown";

/** The schema of a provider's configuration, of a resource type, or of any other thing that is configured by a block. */
export interface Schema {
  /** Version of the stored state; it rises when the state must be upgraded. 0 where nothing is stored. */
  readonly version: number;
  readonly block: Block;
}

/** A block's body: attributes and nested blocks, which share one namespace. Names are in code point order. */
export interface Block {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks: Readonly<Record<string, NestedBlock>>;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  readonly deprecated: boolean;
  /** Protocol 6.11 and 5.11. Empty where there is none. */
  readonly deprecationMessage: string;
}

/** One attribute. Exactly one of `type` and `nested` is there; protocol 5 knows only `type`. */
export interface Attribute {
  readonly type?: Type;
  readonly nested?: NestedAttributes;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  /** Values are hidden in a person's view of plans, and never in logs. */
  readonly sensitive: boolean;
  /** Given in configuration only: null in every plan and state. */
  readonly writeOnly: boolean;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  readonly deprecated: boolean;
  readonly deprecationMessage: string;
}

/** How objects repeat below a nested attribute. */
export type NestedAttributeMode = "single" | "list" | "set" | "map";

/** Attributes of an attribute. Protocol 6 only. */
export interface NestedAttributes {
  readonly nesting: NestedAttributeMode;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** How a nested block repeats. A `group` is a `single` that is never null. */
export type NestedBlockMode = "single" | "group" | "list" | "set" | "map";

/** A block below a block. */
export interface NestedBlock {
  readonly nesting: NestedBlockMode;
  readonly block: Block;
  /** At least this many; for `single` 1 means required. */
  readonly minItems: number;
  /** At most this many; 0 means no limit. */
  readonly maxItems: number;
}
