// SPDX-License-Identifier: Apache-2.0
import type { Mark } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";

/**
 * Attributes and blocks of either syntax, possibly rewritten. The content of a body is read by a schema, because an object in JSON can
 * be the value of an attribute or a block.
 */
export interface Body {
  /** Reads the whole body by a schema. Attributes and blocks that the schema does not have are errors. */
  content(schema: BodySchema): BodyResult;
  /** Reads the attributes and blocks that a schema has, and returns a body with the rest. */
  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body };
  /** Reads everything as attributes. Blocks are errors, where the syntax distinguishes them. */
  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] };
  /** Range for errors about a missing item. */
  missingItemRange(): SourceRange;
  /** Whether the number of occurrences of the body is unknown, so that all values decoded from it are unknown. */
  readonly unknown?: boolean;
  /** Marks for all values decoded from the body. */
  readonly marks?: ReadonlySet<Mark>;
}

/** Content of a body, which is present despite errors, and its diagnostics. */
export interface BodyResult {
  readonly content: BodyContent;
  readonly diagnostics: readonly Diagnostic[];
}

/** Attributes and blocks that a body can have, one level deep. */
export interface BodySchema {
  readonly attributes?: readonly AttributeSchema[];
  readonly blocks?: readonly BlockSchema[];
}

/** An attribute that a body can have. */
export interface AttributeSchema {
  readonly name: string;
  /** Default: false. */
  readonly required?: boolean;
}

/** A type of blocks that a body can have. */
export interface BlockSchema {
  readonly type: string;
  /** Names of the labels that the block must have, for messages. Default: no labels. */
  readonly labelNames?: readonly string[];
}

/** The attributes and blocks of a body that match a schema. */
export interface BodyContent {
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Blocks in source order. */
  readonly blocks: readonly Block[];
  readonly missingItemRange: SourceRange;
}

/** An attribute of a body. */
export interface Attribute {
  readonly name: string;
  readonly expression: Expression;
  readonly nameRange: SourceRange;
  readonly range: SourceRange;
}

/** A block of a body. */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  /** Range of the type and labels. */
  readonly declarationRange: SourceRange;
  readonly typeRange: SourceRange;
  readonly labelRanges: readonly SourceRange[];
}
