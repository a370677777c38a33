// SPDX-License-Identifier: Apache-2.0
import type { NativeExpression } from "../syntax/expression.ts";
import { rootName, type Traversal } from "../syntax/traversal.ts";
import { noLocals, partsOf, type LocalNames, type Part } from "./transform.ts";

/** Specifies the references and calls whose values differ between evaluations of an expression. */
export interface Variance {
  /** Whether the value of a reference differs between evaluations, such as `each.key`. Not called for names of `for` expressions. */
  readonly varies: (reference: Traversal) => boolean;
  /** Whether a function gives different results for the same arguments, such as `uuid`. Default: none does. */
  readonly isImpure?: (name: string) => boolean;
  /**
   * Whether a function takes its arguments as expressions, such as `try`. A part of such an argument is not invariant by
   * itself, because an error in it may be expected; the whole call can be. Default: none does.
   */
  readonly takesExpressions?: (name: string) => boolean;
}

/**
 * The largest parts of an expression that have the same value in every evaluation: they depend on no reference that varies and on
 * no name of a `for` expression or splat around them, and they call no impure function. Literals are not included.
 *
 * A program that evaluates an expression many times evaluates these parts once, and puts literals in their place with
 * {@link transform}. A part whose evaluation fails must stay: it may be in a branch that is not taken.
 *
 * @example
 * const { expression } = parseExpression('"${upper(var.name)}-${each.key}"', "");
 * invariantParts(expression, { varies: (reference) => rootName(reference) === "each" }).map(({ kind }) => kind)
 * // => ["functionCall"]
 */
export function invariantParts(expression: NativeExpression, variance: Variance): readonly NativeExpression[] {
  const dependences = dependencesOf(expression, variance);
  const found: NativeExpression[] = [];
  const waiting: Part[] = [wholePart(expression)];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { node, locals, isFixed } = part;
    if (node.kind === "literal") continue;
    if (!isFixed && dependences.get(node)!.size === 0) {
      found.push(node);
      continue;
    }
    if (node.kind === "functionCall" && variance.takesExpressions?.(node.name)) continue;
    waiting.push(...partsOf(node, locals).toReversed());
  }
  return found;
}

function wholePart(expression: NativeExpression): Part {
  return { node: expression, locals: noLocals, isFixed: false };
}

/** What the value of a node depends on: the loops and splats around it that define a name it uses, and {@link variation}. */
type Dependences = ReadonlySet<NativeExpression | typeof variation>;

/** The value differs between evaluations. */
const variation = Symbol("variation");
const none: Dependences = new Set();

/** The dependences of each node. A chain of operators can be deep, so nodes are visited without recursion. */
function dependencesOf(expression: NativeExpression, variance: Variance): ReadonlyMap<NativeExpression, Dependences> {
  const all = new Map<NativeExpression, Dependences>();
  const waiting: { readonly part: Part; readonly parts?: readonly Part[] }[] = [{ part: wholePart(expression) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, locals } = next.part;
    if (next.parts === undefined) {
      const parts = partsOf(node, locals);
      waiting.push({ part: next.part, parts }, ...parts.map((part) => ({ part })));
      continue;
    }
    const found = new Set(ownDependences(node, locals, variance));
    for (const part of next.parts) for (const one of all.get(part.node)!) found.add(one);
    if (node.kind === "splat") found.delete(node.item);
    if (node.kind === "for") found.delete(node);
    all.set(node, found);
  }
  return all;
}

function ownDependences(node: NativeExpression, { variables }: LocalNames, { varies, isImpure }: Variance): Dependences {
  switch (node.kind) {
    case "scopeTraversal": {
      const loop = variables.get(rootName(node.traversal)!);
      if (loop !== undefined) return new Set([loop]);
      return varies(node.traversal) ? new Set([variation]) : none;
    }
    case "anonymousSymbol":
      return new Set([node]);
    case "functionCall":
      return isImpure?.(node.name) ? new Set([variation]) : none;
    case "syntaxError":
      return new Set([variation]);
    default:
      return none;
  }
}
