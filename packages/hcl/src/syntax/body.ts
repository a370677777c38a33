// SPDX-License-Identifier: Apache-2.0
import type { NativeExpression } from "./expression.ts";
import type { SourceRange } from "./position.ts";
import { rangeBetween } from "./range.ts";

/** The content of a file or block of the native syntax. */
export interface BodySyntax {
  readonly kind: "body";
  /** Attributes by name, in source order. If a name is defined several times, which is an error, the first one. */
  readonly attributes: ReadonlyMap<string, AttributeSyntax>;
  readonly blocks: readonly BlockSyntax[];
  readonly range: SourceRange;
  /** Empty range after the last token of the body. */
  readonly endRange: SourceRange;
}

/** `name = expression` */
export interface AttributeSyntax {
  readonly kind: "attribute";
  readonly name: string;
  readonly expression: NativeExpression;
  readonly nameRange: SourceRange;
  readonly equalsRange: SourceRange;
  readonly range: SourceRange;
}

/** `type "label" label { … }` */
export interface BlockSyntax {
  readonly kind: "block";
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: BodySyntax;
  readonly typeRange: SourceRange;
  /** Ranges of the labels, with their quotes. */
  readonly labelRanges: readonly SourceRange[];
  readonly openBraceRange: SourceRange;
  readonly closeBraceRange: SourceRange;
  readonly range: SourceRange;
}

/** Range of a block's type and labels, without its body. */
export function declarationRange(block: BlockSyntax): SourceRange {
  const last = block.labelRanges.at(-1) ?? block.typeRange;
  return rangeBetween(block.typeRange, last);
}
