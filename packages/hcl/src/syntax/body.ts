// SPDX-License-Identifier: Apache-2.0
import type { NativeExpression } from "./expression.ts";
import type { SourceRange } from "./position.ts";

/** What is between two braces, or in a whole file, of the native syntax. */
export interface BodySyntax {
  readonly kind: "body";
  /** By name, in the order of the source. Of several with one name, which is an error, the first. */
  readonly attributes: ReadonlyMap<string, AttributeSyntax>;
  readonly blocks: readonly BlockSyntax[];
  readonly range: SourceRange;
  /** Empty, after the body's last token. */
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
  /** With the quotes, where there are any. */
  readonly labelRanges: readonly SourceRange[];
  readonly openBraceRange: SourceRange;
  readonly closeBraceRange: SourceRange;
  readonly range: SourceRange;
}

/** Where a block is declared: its type and labels, without its body. */
export function declarationRange(block: BlockSyntax): SourceRange {
  const last = block.labelRanges.at(-1) ?? block.typeRange;
  return { filename: block.typeRange.filename, start: block.typeRange.start, end: last.end };
}
