// SPDX-License-Identifier: Apache-2.0
import { childrenOf, type SyntaxNode } from "./children.ts";

/** Functions that {@link walk} calls for each node. */
export interface Visitor {
  /** Called before the children of a node. Returns `false` to skip them. */
  enter?(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean | void;
  /** Called after the children of a node, skipped or not. */
  leave?(node: SyntaxNode, parents: readonly SyntaxNode[]): void;
}

/**
 * Visits a node and all nodes in it, in source order. `parents` are the nodes around the visited one, the outermost first; the array
 * is reused between calls.
 *
 * @example
 * const calls: string[] = [];
 * walk(parseExpression("max(a, min(b, c))", "").expression, {
 *   enter: (node) => void (node.kind === "functionCall" && calls.push(node.name)),
 * });
 * calls // => ["max", "min"]
 */
export function walk(root: SyntaxNode, visitor: Visitor): void {
  const parents: SyntaxNode[] = [];
  const left: { readonly node: SyntaxNode; readonly isEntered: boolean }[] = [{ node: root, isEntered: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, isEntered } = next;
    if (isEntered) {
      parents.pop();
      visitor.leave?.(node, parents);
      continue;
    }
    const goesOn = visitor.enter?.(node, parents) !== false;
    parents.push(node);
    left.push({ node, isEntered: true });
    if (goesOn) for (const child of childrenOf(node).toReversed()) left.push({ node: child, isEntered: false });
  }
}
