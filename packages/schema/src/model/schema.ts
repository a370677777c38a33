// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/** Format of a description. */
export type DescriptionKind = "plain" | "markdown";

/** Schema of a provider's configuration, of a resource type, or of another kind of component that is configured by a block. */
export interface Schema {
  /** Version of the stored state: a higher version means that older states must be upgraded. 0 for components without state. */
  readonly version: number;
  readonly block: Block;
}

/** Body of a block: attributes and nested blocks, which share one namespace. Names are in code point order. */
export interface Block {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks: Readonly<Record<string, NestedBlock>>;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  readonly deprecated: boolean;
  /** Text that names the replacement. Since protocol 6.11 and 5.11; empty without a message. */
  readonly deprecationMessage: string;
}

/** Attribute of a block. Exactly one of `type` and `nested` is present; protocol 5 has only `type`. */
export interface Attribute {
  readonly type?: Type;
  readonly nested?: NestedAttributes;
  /** Whether the configuration must set the attribute. */
  readonly required: boolean;
  /** Whether the configuration may set the attribute. */
  readonly optional: boolean;
  /** Whether the provider sets the attribute; with `optional`, only when the configuration does not. */
  readonly computed: boolean;
  /** Whether values are masked in displayed plans and in logs. */
  readonly sensitive: boolean;
  /** Whether only the configuration holds values: they are null in every plan and state. */
  readonly writeOnly: boolean;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  readonly deprecated: boolean;
  readonly deprecationMessage: string;
}

/** Nesting mode of a nested attribute. */
export type NestedAttributeMode = "single" | "list" | "set" | "map";

/** Attributes of a nested attribute. Protocol 6 only. */
export interface NestedAttributes {
  readonly nesting: NestedAttributeMode;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** Nesting mode of a nested block. A `group` is a `single` that is never null. */
export type NestedBlockMode = "single" | "group" | "list" | "set" | "map";

/** Block inside a block. */
export interface NestedBlock {
  readonly nesting: NestedBlockMode;
  readonly block: Block;
  /** Minimum number of blocks; 1 for `single` means required. */
  readonly minItems: number;
  /** Maximum number of blocks; 0 means no limit. */
  readonly maxItems: number;
}
