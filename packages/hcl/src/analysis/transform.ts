// SPDX-License-Identifier: Apache-2.0
import type { AnonymousSymbolExpression, ForExpression, NativeExpression, ObjectKeyExpression } from "../syntax/expression.ts";

/** The names and symbols that the expressions around a node define. */
export interface LocalNames {
  /** Variables of the `for` expressions around the node, each with the expression that defines it. */
  readonly variables: ReadonlyMap<string, ForExpression>;
  /** Symbols for the current element of the splat expressions around the node. */
  readonly items: ReadonlySet<AnonymousSymbolExpression>;
}

/** Returns the expression to put in place of a node; undefined to keep the node, and to continue with the expressions in it. */
export type Replacement = (node: NativeExpression, locals: LocalNames) => NativeExpression | undefined;

/** An expression in another one, with the names that are defined around it. */
export interface Part {
  readonly node: NativeExpression;
  readonly locals: LocalNames;
  /** Whether the parent requires a node of this kind, so that it cannot be replaced: a key, or the loop of a directive. */
  readonly isFixed: boolean;
}

/** The locals of a whole expression. */
export const noLocals: LocalNames = { variables: new Map(), items: new Set() };

/**
 * Rebuilds an expression with some of its parts replaced. Unchanged parts are shared with the given expression, which itself
 * never changes. A bare word as a key of an object is not offered for replacement, because it stands for itself.
 *
 * @example
 * const { expression } = parseExpression("[for i in a : i + b]", "");
 * const one: NativeExpression = { kind: "literal", value: of(number, 1), range: expression.range };
 * print(transform(expression, (node) => (node.kind === "scopeTraversal" && rootName(node.traversal) === "b" ? one : undefined)))
 * // => "[for i in a : i + 1]"
 */
export function transform(expression: NativeExpression, replace: Replacement): NativeExpression {
  const root = startPart({ node: expression, locals: noLocals, isFixed: false }, replace);
  if (!("parts" in root)) return root.result;
  // Chains of operators nest deeper than functions can call each other.
  const waiting: Work[] = [root];
  for (;;) {
    const work = waiting.at(-1)!;
    const part = work.parts[work.done.length];
    if (part !== undefined) {
      const next = startPart(part, replace);
      if ("parts" in next) waiting.push(next);
      else work.done.push(next.result);
      continue;
    }
    const isSame = work.done.every((one, index) => one === work.parts[index]!.node);
    const rebuilt = isSame ? work.node : rebuild(work.node, work.done);
    waiting.pop();
    const parent = waiting.at(-1);
    if (parent === undefined) return rebuilt;
    parent.done.push(rebuilt);
  }
}

/** A node whose parts are being replaced. */
interface Work {
  readonly node: NativeExpression;
  readonly parts: readonly Part[];
  readonly done: NativeExpression[];
}

function startPart({ node, locals, isFixed }: Part, replace: Replacement): Work | { readonly result: NativeExpression } {
  const replacement = isFixed ? undefined : replace(node, locals);
  if (replacement !== undefined) return { result: replacement };
  const parts = partsOf(node, locals);
  return parts.length === 0 ? { result: node } : { node, parts, done: [] };
}

/** The expressions directly in a node that are evaluated, in the order of {@link childrenOf}. */
export function partsOf(node: NativeExpression, locals: LocalNames): readonly Part[] {
  const part = (one: NativeExpression): Part => ({ node: one, locals, isFixed: one.kind === "objectKey" });
  switch (node.kind) {
    case "parentheses":
      return [part(node.inner)];
    case "relativeTraversal":
      return [part(node.source)];
    case "functionCall":
      return node.arguments.map(part);
    case "conditional":
      return [node.condition, node.trueResult, node.falseResult].map(part);
    case "binary":
      return [node.left, node.right].map(part);
    case "unary":
      return [part(node.operand)];
    case "index":
      return [node.collection, node.key].map(part);
    case "tuple":
      return node.elements.map(part);
    case "object":
      return node.items.flatMap(({ key, value }) => [key, value]).map(part);
    case "objectKey":
      return isBareKey(node) ? [] : [part(node.wrapped)];
    case "for":
      return [part(node.collection), ...resultParts(node, locals)];
    case "splat": {
      const inner: LocalNames = { ...locals, items: new Set([...locals.items, node.item]) };
      return [part(node.source), { node: node.each, locals: inner, isFixed: false }];
    }
    case "template":
      return node.parts.map(part);
    case "templateJoin":
      return [{ node: node.tuple, locals, isFixed: true }];
    case "templateWrap":
      return [part(node.wrapped)];
    default:
      return [];
  }
}

function resultParts(loop: ForExpression, locals: LocalNames): readonly Part[] {
  const variables = new Map(locals.variables);
  for (const name of [loop.keyName, loop.valueName]) if (name !== undefined) variables.set(name, loop);
  const nodes = [loop.key, loop.value, loop.condition].filter((one) => one !== undefined);
  return nodes.map((node) => ({ node, locals: { ...locals, variables }, isFixed: false }));
}

/** Whether a key of an object is not evaluated: a bare word stands for itself, and a longer bare reference is an error. */
function isBareKey({ wrapped, forceNonLiteral }: ObjectKeyExpression): boolean {
  if (forceNonLiteral) return false;
  if (wrapped.kind === "scopeTraversal") return true;
  return wrapped.kind === "literal" && (wrapped.value.payload === null || typeof wrapped.value.payload === "boolean");
}

/** The node with other parts, in the order of {@link partsOf}. */
function rebuild(node: NativeExpression, parts: readonly NativeExpression[]): NativeExpression {
  const [first, second, third] = parts as readonly [NativeExpression, NativeExpression, NativeExpression];
  switch (node.kind) {
    case "parentheses":
      return { ...node, inner: first };
    case "relativeTraversal":
      return { ...node, source: first };
    case "functionCall":
      return { ...node, arguments: parts };
    case "conditional":
      return { ...node, condition: first, trueResult: second, falseResult: third };
    case "binary":
      return { ...node, left: first, right: second };
    case "unary":
      return { ...node, operand: first };
    case "index":
      return { ...node, collection: first, key: second };
    case "tuple":
      return { ...node, elements: parts };
    case "object": {
      const items = node.items.map((_, index) => ({ key: parts[2 * index] as ObjectKeyExpression, value: parts[2 * index + 1]! }));
      return { ...node, items };
    }
    case "objectKey": {
      const key = { ...node, wrapped: first };
      // Without parentheses, a reference in place of something else would be a bare word.
      return isBareKey(key) ? { ...key, forceNonLiteral: true } : key;
    }
    case "for": {
      const rest = parts.slice(1);
      const key = node.key === undefined ? {} : { key: rest.shift()! };
      const value = rest.shift()!;
      return { ...node, collection: first, ...key, value, ...(node.condition === undefined ? {} : { condition: rest.shift()! }) };
    }
    case "splat":
      return { ...node, source: first, each: second };
    case "template":
      return { ...node, parts };
    case "templateJoin":
      return { ...node, tuple: first as ForExpression };
    case "templateWrap":
      return { ...node, wrapped: first };
    default:
      return node;
  }
}
