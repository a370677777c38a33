// SPDX-License-Identifier: Apache-2.0
import type { Mark } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";

/**
 * Attributes and blocks, whatever syntax or rewriting they come from. What is in a body can only be told with a schema: in
 * JSON an object may be an attribute's value or a block.
 */
export interface Body {
  /** All of the body by a schema; what the schema does not have is an error. */
  content(schema: BodySchema): BodyResult;
  /** What a schema has, and a body with the rest. */
  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body };
  /** Everything as attributes; blocks, where they can be told, are errors. */
  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] };
  /** Where something that is missing would have to be added. */
  missingItemRange(): SourceRange;
  /** True where it is not known whether, or how often, the body is there at all: nothing decoded from it is known. */
  readonly unknown?: boolean;
  /** What everything decoded from the body is marked with. */
  readonly marks?: ReadonlySet<Mark>;
}

/** What is found even where diagnostics tell of errors. */
export interface BodyResult {
  readonly content: BodyContent;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a body may have, one level deep. */
export interface BodySchema {
  readonly attributes?: readonly AttributeSchema[];
  readonly blocks?: readonly BlockSchema[];
}

export interface AttributeSchema {
  readonly name: string;
  /** Default: false. */
  readonly required?: boolean;
}

export interface BlockSchema {
  readonly type: string;
  /** A name for each label the block must have, for messages. Default: none. */
  readonly labelNames?: readonly string[];
}

export interface BodyContent {
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** In the order of the source. */
  readonly blocks: readonly Block[];
  readonly missingItemRange: SourceRange;
}

export interface Attribute {
  readonly name: string;
  readonly expression: Expression;
  readonly nameRange: SourceRange;
  readonly range: SourceRange;
}

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  /** Type and labels. */
  readonly declarationRange: SourceRange;
  readonly typeRange: SourceRange;
  readonly labelRanges: readonly SourceRange[];
}
