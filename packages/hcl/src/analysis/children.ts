// SPDX-License-Identifier: Apache-2.0
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import type { Expression } from "../syntax/expression.ts";
import { startByteOf } from "../syntax/range.ts";

/** Any node of a syntax tree; all of them have a `kind` and a `range`. */
export type SyntaxNode = BodySyntax | BlockSyntax | AttributeSyntax | Expression;

const none: readonly SyntaxNode[] = [];

/** Direct children of a node, in source order. Templates in strings of the JSON syntax are not included. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.kind) {
    case "body":
      return [...node.attributes.values(), ...node.blocks].sort((a, b) => startByteOf(a.range) - startByteOf(b.range));
    case "block":
      return [node.body];
    case "attribute":
      return [node.expression];
    case "parentheses":
      return [node.inner];
    case "relativeTraversal":
      return [node.source];
    case "functionCall":
      return node.arguments;
    case "conditional":
      return [node.condition, node.trueResult, node.falseResult];
    case "binary":
      return [node.left, node.right];
    case "unary":
      return [node.operand];
    case "index":
      return [node.collection, node.key];
    case "tuple":
      return node.elements;
    case "object":
      return node.items.flatMap(({ key, value }) => [key, value]);
    case "objectKey":
      return [node.wrapped];
    case "for":
      return [node.collection, node.key, node.value, node.condition].filter((child) => child !== undefined);
    case "splat":
      return [node.source, node.each];
    case "template":
      return node.parts;
    case "templateJoin":
      return [node.tuple];
    case "templateWrap":
      return [node.wrapped];
    case "scoped":
      return [node.inner];
    default:
      return none;
  }
}
