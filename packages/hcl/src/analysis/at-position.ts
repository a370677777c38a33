// SPDX-License-Identifier: Apache-2.0
/* Nodes at an offset of a source, for editors. Offsets are in bytes, as in `SourcePosition.byte`. */
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import type { Expression } from "../syntax/expression.ts";
import { rangeContains } from "../syntax/range.ts";
import { childrenOf } from "./children.ts";

/** Blocks around an offset, the outermost first. @see go hcl.File.BlocksAtPos */
export function blocksAt(body: BodySyntax, offset: number): readonly BlockSyntax[] {
  const found: BlockSyntax[] = [];
  const at = (blocks: readonly BlockSyntax[]): BlockSyntax | undefined => blocks.find(({ range }) => rangeContains(range, offset));
  for (let block = at(body.blocks); block !== undefined; block = at(block.body.blocks)) found.push(block);
  return found;
}

/** Attribute at an offset, at any depth. @see go hcl.File.AttributeAtPos */
export function attributeAt(body: BodySyntax, offset: number): AttributeSyntax | undefined {
  const { attributes } = blocksAt(body, offset).at(-1)?.body ?? body;
  return [...attributes.values()].find(({ range }) => rangeContains(range, offset));
}

/** Whole expression of the attribute at an offset. @see go hcl.File.OutermostExprAtPos */
export function outermostExpressionAt(body: BodySyntax, offset: number): Expression | undefined {
  const expression = attributeAt(body, offset)?.expression;
  return expression && rangeContains(expression.range, offset) ? expression : undefined;
}

/** Innermost expression at an offset, in a body or in a larger expression. */
export function expressionAt(within: BodySyntax | Expression, offset: number): Expression | undefined {
  let found = within.kind === "body" ? outermostExpressionAt(within, offset) : within;
  if (!found || !rangeContains(found.range, offset)) return undefined;
  for (;;) {
    const inner = childrenOf(found).find(({ range }) => rangeContains(range, offset));
    if (!inner) return found;
    // An expression contains only expressions.
    found = inner as Expression;
  }
}
