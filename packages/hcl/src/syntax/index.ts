// SPDX-License-Identifier: Apache-2.0
/**
 * Syntax trees: their nodes, source ranges and references.
 *
 * @module
 */
export { declarationRange, type AttributeSyntax, type BlockSyntax, type BodySyntax } from "./body.ts";
export type {
  AnonymousSymbolExpression,
  BinaryExpression,
  BinaryOperator,
  ConditionalExpression,
  DerivedExpression,
  Expression,
  ForExpression,
  FunctionCallExpression,
  IndexExpression,
  LiteralExpression,
  NativeExpression,
  ObjectExpression,
  ObjectItem,
  ObjectKeyExpression,
  ParenthesesExpression,
  RelativeTraversalExpression,
  ScopedExpression,
  ScopeTraversalExpression,
  SplatExpression,
  SyntaxErrorExpression,
  TemplateExpression,
  TemplateJoinExpression,
  TemplateWrapExpression,
  TupleExpression,
  UnaryExpression,
  UnaryOperator,
} from "./expression.ts";
export type {
  JsonArray,
  JsonBoolean,
  JsonExpression,
  JsonInvalid,
  JsonMember,
  JsonNode,
  JsonNull,
  JsonNumber,
  JsonObject,
  JsonString,
} from "./json.ts";
export {
  isAbsolute,
  rootName,
  traversalRange,
  type AttributeStep,
  type IndexStep,
  type RootStep,
  type SplatStep,
  type Traversal,
  type TraversalStep,
} from "./traversal.ts";
export { initialPosition, type SourcePosition, type SourceRange } from "./position.ts";
export { endOfRange, formatRange, isEmptyRange, rangeBetween, rangeContains, rangeOver, startOfRange } from "./range.ts";
export { startRange } from "./start-range.ts";
