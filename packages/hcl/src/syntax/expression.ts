// SPDX-License-Identifier: Apache-2.0
/*
 * Expression nodes as plain data. `range` is the source range of a node; further ranges are those of its punctuation. Nodes never
 * change after parsing.
 */
import type { Mark, Value } from "@tenon/cty";
import type { CalledFunction } from "./called-function.ts";
import type { Scope } from "./scope.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { JsonExpression } from "./json.ts";
import type { SourceRange } from "./position.ts";
import type { Traversal } from "./traversal.ts";

/** An expression of the native syntax or of JSON, or one that was rewritten. */
export type Expression = NativeExpression | JsonExpression | ScopedExpression | DerivedExpression;

/** An expression with additional variables and marks, such as one in a block that a `dynamic` block generates. */
export interface ScopedExpression {
  readonly kind: "scoped";
  readonly inner: Expression;
  /** Variables that hide those of the scope. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Marks that are added to the value. */
  readonly marks: ReadonlySet<Mark>;
  readonly range: SourceRange;
}

/** An expression that was derived from other syntax, such as the value of an attribute that was written as blocks. */
export interface DerivedExpression {
  readonly kind: "derived";
  readonly evaluate: (scope: Scope | undefined) => { readonly value: Value; readonly diagnostics: readonly Diagnostic[] };
  /** Returns the references in the expression. */
  readonly variables: () => readonly Traversal[];
  /** Returns the function calls in the expression. */
  readonly calledFunctions: () => readonly CalledFunction[];
  readonly range: SourceRange;
}

/** An expression of the native syntax. */
export type NativeExpression =
  | ParenthesesExpression
  | LiteralExpression
  | ScopeTraversalExpression
  | RelativeTraversalExpression
  | FunctionCallExpression
  | ConditionalExpression
  | BinaryExpression
  | UnaryExpression
  | IndexExpression
  | TupleExpression
  | ObjectExpression
  | ObjectKeyExpression
  | ForExpression
  | SplatExpression
  | AnonymousSymbolExpression
  | TemplateExpression
  | TemplateJoinExpression
  | TemplateWrapExpression
  | SyntaxErrorExpression;

/** `(inner)` */
export interface ParenthesesExpression {
  readonly kind: "parentheses";
  readonly inner: NativeExpression;
  readonly range: SourceRange;
}

/**
 * A number, `true`, `false`, `null`, or the literal text of a template. After a syntax error, an unknown value of unknown type is
 * a placeholder for the missing expression.
 */
export interface LiteralExpression {
  readonly kind: "literal";
  readonly value: Value;
  readonly range: SourceRange;
}

/** `var.name[0]`: a variable followed by attributes and constant indices. */
export interface ScopeTraversalExpression {
  readonly kind: "scopeTraversal";
  /** Traversal that starts with a root step. */
  readonly traversal: Traversal;
  readonly range: SourceRange;
}

/** `f().name[0]`: an expression followed by attributes and constant indices. */
export interface RelativeTraversalExpression {
  readonly kind: "relativeTraversal";
  readonly source: NativeExpression;
  /** Traversal without a root step. */
  readonly traversal: Traversal;
  readonly range: SourceRange;
}

/** `name(arguments)` */
export interface FunctionCallExpression {
  readonly kind: "functionCall";
  /** Name with its namespaces, separated by `::` without spaces. */
  readonly name: string;
  readonly arguments: readonly NativeExpression[];
  /** Whether `...` follows the last argument, so that each of its elements becomes an argument. */
  readonly expandFinal: boolean;
  readonly nameRange: SourceRange;
  readonly openRange: SourceRange;
  readonly closeRange: SourceRange;
  readonly range: SourceRange;
}

/** `condition ? trueResult : falseResult`, and the `%{ if }` directive of templates. */
export interface ConditionalExpression {
  readonly kind: "conditional";
  readonly condition: NativeExpression;
  readonly trueResult: NativeExpression;
  readonly falseResult: NativeExpression;
  readonly range: SourceRange;
}

/** Operators between two operands. */
export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** `left operator right` */
export interface BinaryExpression {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: NativeExpression;
  readonly right: NativeExpression;
  readonly range: SourceRange;
}

/** Operators before an operand: negation of a number, and logical not. */
export type UnaryOperator = "-" | "!";

/** `operator operand` */
export interface UnaryExpression {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: NativeExpression;
  readonly operatorRange: SourceRange;
  readonly range: SourceRange;
}

/** `collection[key]` with a key that is not constant. */
export interface IndexExpression {
  readonly kind: "index";
  readonly collection: NativeExpression;
  readonly key: NativeExpression;
  readonly openRange: SourceRange;
  /** Range from the opening to the closing bracket. */
  readonly bracketRange: SourceRange;
  readonly range: SourceRange;
}

/** `[a, b]` */
export interface TupleExpression {
  readonly kind: "tuple";
  readonly elements: readonly NativeExpression[];
  readonly openRange: SourceRange;
  readonly range: SourceRange;
}

/** `{ key = value, (key): value }` */
export interface ObjectExpression {
  readonly kind: "object";
  readonly items: readonly ObjectItem[];
  readonly openRange: SourceRange;
  readonly range: SourceRange;
}

/** A key and a value in an object. */
export interface ObjectItem {
  readonly key: ObjectKeyExpression;
  readonly value: NativeExpression;
}

/** A key of an object. A bare word stands for itself unless it is in parentheses. */
export interface ObjectKeyExpression {
  readonly kind: "objectKey";
  readonly wrapped: NativeExpression;
  /** Whether the key was written in parentheses. */
  readonly forceNonLiteral: boolean;
  readonly range: SourceRange;
}

/** `[for key, value in collection : result if condition]`, `{for value in collection : key => result...}`, and `%{ for }`. */
export interface ForExpression {
  readonly kind: "for";
  readonly keyName?: string;
  readonly valueName: string;
  readonly collection: NativeExpression;
  /** Key of each item; present if and only if the result is an object. */
  readonly key?: NativeExpression;
  readonly value: NativeExpression;
  readonly condition?: NativeExpression;
  /** Whether `...` follows the result, so that the results of equal keys are grouped in tuples. */
  readonly group: boolean;
  readonly openRange: SourceRange;
  readonly closeRange: SourceRange;
  readonly range: SourceRange;
}

/** `source[*].name` and `source.*.name` */
export interface SplatExpression {
  readonly kind: "splat";
  readonly source: NativeExpression;
  /** Result for each element: an expression that contains `item`. */
  readonly each: NativeExpression;
  /** Symbol for the current element, identified by object identity. */
  readonly item: AnonymousSymbolExpression;
  readonly markerRange: SourceRange;
  readonly range: SourceRange;
}

/** The current element of a splat expression. */
export interface AnonymousSymbolExpression {
  readonly kind: "anonymousSymbol";
  readonly range: SourceRange;
}

/** Text with interpolations: a quoted string, a heredoc, a whole template, or a branch of a directive. */
export interface TemplateExpression {
  readonly kind: "template";
  readonly parts: readonly NativeExpression[];
  readonly range: SourceRange;
}

/** The concatenated results of a `%{ for }` directive. */
export interface TemplateJoinExpression {
  readonly kind: "templateJoin";
  readonly tuple: ForExpression;
  readonly range: SourceRange;
}

/** `"${wrapped}"`: a template of a single interpolation, whose value keeps its type. */
export interface TemplateWrapExpression {
  readonly kind: "templateWrap";
  readonly wrapped: NativeExpression;
  readonly range: SourceRange;
}

/** Source text that could not be parsed, with its diagnostics. Its value is unknown. */
export interface SyntaxErrorExpression {
  readonly kind: "syntaxError";
  readonly diagnostics: readonly Diagnostic[];
  readonly range: SourceRange;
}
