// SPDX-License-Identifier: Apache-2.0
/**
 * HCL 2, the configuration language of Terraform and OpenTofu.
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
export { isValidIdentifier } from "./scan/identifier.ts";
export { tokenize, type Token, type TokenizeOptions, type TokenType } from "./scan/tokenize.ts";

export {
  endOfRange,
  formatRange,
  initialPosition,
  isEmptyRange,
  rangeBetween,
  rangeContains,
  rangeOver,
  startOfRange,
  type SourcePosition,
  type SourceRange,
} from "./syntax/position.ts";
export { startRange } from "./syntax/start-range.ts";
export { hasErrors, type Diagnostic, type DiagnosticExtra } from "./syntax/diagnostic.ts";
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
} from "./syntax/traversal.ts";
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
} from "./syntax/expression.ts";
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
} from "./syntax/json.ts";
export { declarationRange, type AttributeSyntax, type BlockSyntax, type BodySyntax } from "./syntax/body.ts";
export type { Attribute, AttributeSchema, Block, BlockSchema, Body, BodyContent, BodyResult, BodySchema } from "./body/body.ts";
export { nativeBody } from "./body/native-body.ts";
export { jsonBody } from "./body/json-body.ts";
export { mergeBodies } from "./body/merged-body.ts";
export { overrideBody } from "./body/override-body.ts";
export { diskFiles, memoryFiles, type FileSystem } from "./files/file-system.ts";
export { loadFiles, type LoadedFile, type LoadedFiles } from "./files/load.ts";
export { blocksAsAttributes, withBlocksForAttributes, type AmbiguousSchema } from "./decode/blocks-as-attributes.ts";

export { evaluate, type Evaluation } from "./evaluate/evaluate.ts";
export { createScope, type Scope, type ScopeInput } from "./evaluate/scope.ts";
export { attributeOf, followPath, indexOf } from "./evaluate/access.ts";
export { canFunction, tryFunction } from "./evaluate/try.ts";
export {
  customDecoder,
  expressionClosureType,
  expressionType,
  nativeOf,
  type CustomDecoder,
  type ExpressionClosure,
} from "./evaluate/custom-decoding.ts";

export {
  absoluteTraversal,
  expressionList,
  expressionMap,
  keywordOf,
  relativeTraversal,
  staticCall,
  type KeyValuePair,
  type StaticCall,
} from "./analysis/static-expression.ts";
export { variables } from "./analysis/variables.ts";
export { calledFunctions, type CalledFunction } from "./analysis/called-functions.ts";
export { childrenOf, type SyntaxNode } from "./analysis/children.ts";
export { walk, type Visitor } from "./analysis/walk.ts";
export { print, printTemplate, printTraversal, type PrintableNode } from "./print/print.ts";
export type { WithoutRanges } from "./syntax/without-ranges.ts";
export { attributeAt, blocksAt, expressionAt, outermostExpressionAt } from "./analysis/at-position.ts";

export { decode, partialDecode, type Decoding } from "./decode/decode.ts";
export { childBlockTypes, impliedSchema } from "./decode/implied-schema.ts";
export { impliedType } from "./decode/implied-type.ts";
export { sourceRange } from "./decode/source-range.ts";
export { specFunctions, specVariables } from "./decode/spec-variables.ts";
export type {
  AttributeSpec,
  BlockAttributesSpec,
  BlockLabelSpec,
  BlockSequenceSpec,
  BlockSpec,
  BlockTreeSpec,
  DefaultSpec,
  ExpressionSpec,
  LiteralSpec,
  ObjectSpec,
  RefineSpec,
  Spec,
  TransformExpressionSpec,
  TransformFunctionSpec,
  TupleSpec,
  ValidateSpec,
} from "./decode/spec.ts";

export { expandDynamicBlocks, type ExpandOptions } from "./dynamic-block/expand.ts";
export type { ForEachCheck } from "./dynamic-block/dynamic-spec.ts";
export { dynamicFunctions, dynamicVariables, expansionFunctions, expansionVariables } from "./dynamic-block/dynamic-variables.ts";

export {
  readType,
  readTypeConstraint,
  readTypeConstraintWithDefaults,
  type ReadType,
  type ReadTypeWithDefaults,
} from "./type-expression/type-expression.ts";
export { applyDefaults, type Defaults } from "./type-expression/defaults.ts";
export { convertFunction, typeConstraintType } from "./type-expression/convert-function.ts";
export { typeText } from "./type-expression/type-text.ts";

export { formatDiagnostic, formatDiagnostics, type FormatDiagnosticOptions } from "./report/format.ts";
export { formatDiagnosticJson } from "./report/format-json.ts";
export { diagnosticJson, type DiagnosticJson, type DiagnosticJsonOptions, type DiagnosticSnippet } from "./report/json.ts";
export type { FunctionSignature, FunctionSignatureParameter, TypeJson } from "./report/function-signature.ts";
export type { RelatedValue, ValueCauses } from "./report/related-values.ts";
export type { Sources } from "./report/source-lines.ts";

export { HclError, type HclErrorCode } from "./error.ts";
