// SPDX-License-Identifier: Apache-2.0
import { childrenOf, type SyntaxNode } from "./children.ts";

/** What is done at the nodes of a tree. */
export interface Visitor {
  /** Before the node's children. With `false` they are left out. */
  enter?(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean | void;
  /** After the node's children, also where they were left out. */
  leave?(node: SyntaxNode, parents: readonly SyntaxNode[]): void;
}

/**
 * Visits a node and everything in it, in the order of the source. `parents` are the nodes around the visited one, the
 * outermost first; it is the same array each time.
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
