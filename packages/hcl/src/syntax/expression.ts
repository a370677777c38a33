// SPDX-License-Identifier: Apache-2.0
/*
 * The expressions of the language as data. What a node covers in the source is its `range`; further ranges say where its
 * punctuation stands. Nodes are never changed once the parser has returned them.
 */
import type { Mark, Value } from "@tenon/cty";
import type { CalledFunction } from "../analysis/called-functions.ts";
import type { Scope } from "../evaluate/scope.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { JsonExpression } from "./json.ts";
import type { SourceRange } from "./position.ts";
import type { Traversal } from "./traversal.ts";

/** An expression of the native syntax or of JSON, or one of these with variables of its own. */
export type Expression = NativeExpression | JsonExpression | ScopedExpression | DerivedExpression;

/** An expression in a body that was rewritten: what a `dynamic` block makes sees the block's iterator. */
export interface ScopedExpression {
  readonly kind: "scoped";
  readonly inner: Expression;
  /** Seen by the expression before all others. */
  readonly variables: ReadonlyMap<string, Value>;
  /** What the value is marked with. */
  readonly marks: ReadonlySet<Mark>;
  readonly range: SourceRange;
}

/** What stands for an expression in a body that was rewritten, but is written in another way: blocks for an attribute's value. */
export interface DerivedExpression {
  readonly kind: "derived";
  readonly evaluate: (scope: Scope | undefined) => { readonly value: Value; readonly diagnostics: readonly Diagnostic[] };
  /** The references in it. */
  readonly variables: () => readonly Traversal[];
  /** The calls in it. */
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
 * A number, `true`, `false`, `null`, or the literal text of a template. The unknown value of any type stands where a syntax
 * error left nothing better.
 */
export interface LiteralExpression {
  readonly kind: "literal";
  readonly value: Value;
  readonly range: SourceRange;
}

/** `var.name[0]`: a variable, and what is taken from it with constant keys. */
export interface ScopeTraversalExpression {
  readonly kind: "scopeTraversal";
  /** Starts with a root step. */
  readonly traversal: Traversal;
  readonly range: SourceRange;
}

/** `f().name[0]`: what is taken, with constant keys, from the result of another expression. */
export interface RelativeTraversalExpression {
  readonly kind: "relativeTraversal";
  readonly source: NativeExpression;
  /** Has no root step. */
  readonly traversal: Traversal;
  readonly range: SourceRange;
}

/** `name(arguments)` */
export interface FunctionCallExpression {
  readonly kind: "functionCall";
  /** With namespaces, separated by `::` whatever space is between them in the source. */
  readonly name: string;
  readonly arguments: readonly NativeExpression[];
  /** Does `...` follow the last argument? Its elements are then arguments each. */
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

export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** `left operator right` */
export interface BinaryExpression {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: NativeExpression;
  readonly right: NativeExpression;
  readonly range: SourceRange;
}

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
  /** From the opening to the closing bracket. */
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

export interface ObjectItem {
  readonly key: ObjectKeyExpression;
  readonly value: NativeExpression;
}

/** A key of an object: a bare word stands for itself, unless it was in parentheses. */
export interface ObjectKeyExpression {
  readonly kind: "objectKey";
  readonly wrapped: NativeExpression;
  /** Was it written in parentheses? */
  readonly forceNonLiteral: boolean;
  readonly range: SourceRange;
}

/** `[for key, value in collection : result if condition]`, `{for value in collection : key => result...}`, and `%{ for }`. */
export interface ForExpression {
  readonly kind: "for";
  readonly keyName?: string;
  readonly valueName: string;
  readonly collection: NativeExpression;
  /** Present exactly when the result is an object. */
  readonly key?: NativeExpression;
  readonly value: NativeExpression;
  readonly condition?: NativeExpression;
  /** Are the results of equal keys collected, because `...` follows the result? */
  readonly group: boolean;
  readonly openRange: SourceRange;
  readonly closeRange: SourceRange;
  readonly range: SourceRange;
}

/** `source[*].name` and `source.*.name` */
export interface SplatExpression {
  readonly kind: "splat";
  readonly source: NativeExpression;
  /** What is made of each element: an expression that has `item` in it. */
  readonly each: NativeExpression;
  /** Stands for the element, and is told from others by its identity. */
  readonly item: AnonymousSymbolExpression;
  readonly markerRange: SourceRange;
  readonly range: SourceRange;
}

/** The element a splat is at. */
export interface AnonymousSymbolExpression {
  readonly kind: "anonymousSymbol";
  readonly range: SourceRange;
}

/** Text with other expressions in it: a quoted string, a heredoc, a whole template, a branch of a directive. */
export interface TemplateExpression {
  readonly kind: "template";
  readonly parts: readonly NativeExpression[];
  readonly range: SourceRange;
}

/** The texts a `%{ for }` directive makes, one after another. */
export interface TemplateJoinExpression {
  readonly kind: "templateJoin";
  readonly tuple: ForExpression;
  readonly range: SourceRange;
}

/** `"${wrapped}"`: a template that is nothing but one interpolation keeps the type of its value. */
export interface TemplateWrapExpression {
  readonly kind: "templateWrap";
  readonly wrapped: NativeExpression;
  readonly range: SourceRange;
}

/** What could not be parsed, with what is known about it. Its value is unknown. */
export interface SyntaxErrorExpression {
  readonly kind: "syntaxError";
  readonly diagnostics: readonly Diagnostic[];
  readonly range: SourceRange;
}
