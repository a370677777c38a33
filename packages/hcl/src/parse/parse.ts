// SPDX-License-Identifier: Apache-2.0
import { invalidTokens } from "../scan/invalid-tokens.ts";
import { scan, type ScanMode } from "../scan/scanner.ts";
import { Kind } from "../scan/token-kind.ts";
import type { BodySyntax } from "../syntax/body.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { initialPosition, type SourcePosition } from "../syntax/position.ts";
import type { Traversal } from "../syntax/traversal.ts";
import { parseBody } from "./body.ts";
import { parseExpression as parseWholeExpression } from "./expression.ts";
import { Parser, type Recovery } from "./parser.ts";
import { parseBareTemplate } from "./template.ts";
import { parseTraversalSteps } from "./traversal.ts";

/** Options of the parsing functions. */
export interface ParseOptions {
  /** Position of the source in its file. Default: the start of the file. */
  readonly start?: SourcePosition;
  /**
   * How parsing continues after an error. `every-item`, the default, recovers at each attribute and block, so that no error hides
   * another; `first-error` behaves like the Go library, which suppresses many errors after the first.
   */
  readonly recovery?: Recovery;
}

/** Result of parsing a file of the native syntax. */
export interface ParsedConfig {
  /** The content that could be parsed; an empty body if nothing could. */
  readonly body: BodySyntax;
  readonly diagnostics: readonly Diagnostic[];
}

/** Result of parsing an expression or a template. */
export interface ParsedExpression {
  /** The expression, with placeholders at syntax errors. */
  readonly expression: NativeExpression;
  readonly diagnostics: readonly Diagnostic[];
}

/** Result of parsing a reference. */
export interface ParsedTraversal {
  /** The steps up to the first error. */
  readonly traversal: Traversal;
  readonly diagnostics: readonly Diagnostic[];
}

function parserFor(source: string | Uint8Array, filename: string, mode: ScanMode, options: ParseOptions): Parser {
  const tokens = scan(source, filename, mode, options.start ?? initialPosition);
  const parser = new Parser(tokens, { expression: parseWholeExpression }, options.recovery ?? "every-item");
  for (const diagnostic of invalidTokens(tokens)) parser.report(diagnostic);
  return parser;
}

/**
 * Parses a file of the native syntax.
 *
 * @param source Text or UTF-8 bytes. Invalid bytes are an error each, and U+FFFD in values.
 * @param filename File name for ranges; no file is read.
 * @see the HCL native syntax specification; go hclsyntax.ParseConfig
 */
export function parseConfig(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedConfig {
  const parser = parserFor(source, filename, "config", options);
  const body = parseBody(parser, Kind.Eof);
  return { body, diagnostics: parser.diagnostics };
}

/**
 * Parses a single expression, which can take several lines.
 *
 * @see go hclsyntax.ParseExpression
 */
export function parseExpression(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedExpression {
  const parser = parserFor(source, filename, "config", options);
  parser.pushNewlines(false);
  const expression = parser.expression();
  const next = parser.peek();
  if (parser.kind(next) !== Kind.Eof && !parser.recovering) {
    parser.error(
      "Extra characters after expression",
      "An expression was successfully parsed, but extra characters were found after it.",
      parser.range(next),
    );
  }
  return { expression, diagnostics: parser.diagnostics };
}

/**
 * Parses a template without quotes: text with interpolations and directives.
 *
 * @see go hclsyntax.ParseTemplate
 */
export function parseTemplate(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedExpression {
  const parser = parserFor(source, filename, "template", options);
  return { expression: parseBareTemplate(parser), diagnostics: parser.diagnostics };
}

/**
 * Parses a reference: a name followed by attributes and constant indices.
 *
 * @see go hclsyntax.ParseTraversalAbs
 */
export function parseTraversal(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedTraversal {
  return wholeTraversal(source, filename, options, false);
}

/**
 * Parses a reference that can contain `[*]` in place of an index.
 *
 * @see go hclsyntax.ParseTraversalPartial
 */
export function parseTraversalPartial(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedTraversal {
  return wholeTraversal(source, filename, options, true);
}

function wholeTraversal(source: string | Uint8Array, filename: string, options: ParseOptions, allowSplats: boolean): ParsedTraversal {
  const parser = parserFor(source, filename, "config", options);
  parser.pushNewlines(false);
  return { traversal: parseTraversalSteps(parser, allowSplats), diagnostics: parser.diagnostics };
}
