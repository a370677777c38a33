// SPDX-License-Identifier: Apache-2.0
/**
 * HCL 2, the configuration language of Terraform and OpenTofu: parsing, and the types that all entry points share.
 *
 * @module
 */
export {
  parseConfig,
  parseExpression,
  parseTemplate,
  parseTraversal,
  parseTraversalPartial,
  type ParsedConfig,
  type ParsedExpression,
  type ParsedTraversal,
  type ParseOptions,
} from "./parse/parse.ts";
export { parseJson, parseJsonExpression, type ParsedJson, type ParsedJsonExpression, type ParseJsonOptions } from "./json/parse.ts";
export type { Recovery } from "./parse/parser.ts";
export type { Expression } from "./syntax/expression.ts";
export type { AttributeSyntax, BlockSyntax, BodySyntax } from "./syntax/body.ts";
export { rootName, type Traversal, type TraversalStep } from "./syntax/traversal.ts";
export type { SourcePosition, SourceRange } from "./syntax/position.ts";
export { formatRange } from "./syntax/range.ts";
export { hasErrors, type Diagnostic, type DiagnosticExtra } from "./syntax/diagnostic.ts";
export type { Scope } from "./syntax/scope.ts";
export type { Body } from "./body/body.ts";
export { HclError, type HclErrorCode } from "./error.ts";
