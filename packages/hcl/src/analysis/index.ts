// SPDX-License-Identifier: Apache-2.0
/**
 * Static analysis: trees walked and expressions inspected without evaluation.
 *
 * @module
 */
export { attributeAt, blocksAt, expressionAt, outermostExpressionAt } from "./at-position.ts";
export { calledFunctions } from "./called-functions.ts";
export type { CalledFunction } from "../syntax/called-function.ts";
export { childrenOf, type SyntaxNode } from "./children.ts";
export {
  absoluteTraversal,
  expressionList,
  expressionMap,
  keywordOf,
  relativeTraversal,
  staticCall,
  type KeyValuePair,
  type StaticCall,
} from "./static-expression.ts";
export { variables } from "./variables.ts";
export { walk, type Visitor } from "./walk.ts";
