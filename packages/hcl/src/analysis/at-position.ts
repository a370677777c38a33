// SPDX-License-Identifier: Apache-2.0
/* What stands at a place of a source, for editors. Places are offsets in bytes, as in `SourcePosition.byte`. */
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import type { Expression } from "../syntax/expression.ts";
import { rangeContains } from "../syntax/position.ts";
import { childrenOf } from "./children.ts";

/** The blocks that a place is in, the outermost first. @see go hcl.File.BlocksAtPos */
export function blocksAt(body: BodySyntax, offset: number): readonly BlockSyntax[] {
  const found: BlockSyntax[] = [];
  const at = (blocks: readonly BlockSyntax[]): BlockSyntax | undefined => blocks.find(({ range }) => rangeContains(range, offset));
  for (let block = at(body.blocks); block !== undefined; block = at(block.body.blocks)) found.push(block);
  return found;
}

/** The attribute that a place is in, however deep. @see go hcl.File.AttributeAtPos */
export function attributeAt(body: BodySyntax, offset: number): AttributeSyntax | undefined {
  const { attributes } = blocksAt(body, offset).at(-1)?.body ?? body;
  return [...attributes.values()].find(({ range }) => rangeContains(range, offset));
}

/** The whole expression of the attribute that a place is in. @see go hcl.File.OutermostExprAtPos */
export function outermostExpressionAt(body: BodySyntax, offset: number): Expression | undefined {
  const expression = attributeAt(body, offset)?.expression;
  return expression && rangeContains(expression.range, offset) ? expression : undefined;
}

/** The innermost expression that a place is in, of a body or of a larger expression. */
export function expressionAt(within: BodySyntax | Expression, offset: number): Expression | undefined {
  let found = within.kind === "body" ? outermostExpressionAt(within, offset) : within;
  if (!found || !rangeContains(found.range, offset)) return undefined;
  for (;;) {
    const inner = childrenOf(found).find(({ range }) => rangeContains(range, offset));
    if (!inner) return found;
    // Within expressions there are only expressions.
    found = inner as Expression;
  }
}
