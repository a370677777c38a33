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

export interface ParseOptions {
  /** Where the source stands in its file. Default: at its start. */
  readonly start?: SourcePosition;
  /**
   * How parsing goes on after an error. `every-item`, the default, starts afresh with each attribute and block, so that no
   * error hides another; `first-error` is the Go library's way, which after the first error keeps quiet about many.
   */
  readonly recovery?: Recovery;
}

/** A file of the native syntax. */
export interface ParsedConfig {
  /** What could be read; there is a body even where nothing could. */
  readonly body: BodySyntax;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedExpression {
  /** Has placeholders where the source is wrong. */
  readonly expression: NativeExpression;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedTraversal {
  /** As far as it could be read. */
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
 * @param source bytes that are no UTF-8 are an error where they stand, and U+FFFD in values.
 * @param filename only for ranges; nothing is read.
 * @see the HCL native syntax specification; go hclsyntax.ParseConfig
 */
export function parseConfig(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedConfig {
  const parser = parserFor(source, filename, "config", options);
  const body = parseBody(parser, Kind.Eof);
  return { body, diagnostics: parser.diagnostics };
}

/**
 * Parses one expression, over any number of lines.
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
 * Parses a text with interpolations and directives, without quotes around it.
 *
 * @see go hclsyntax.ParseTemplate
 */
export function parseTemplate(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedExpression {
  const parser = parserFor(source, filename, "template", options);
  return { expression: parseBareTemplate(parser), diagnostics: parser.diagnostics };
}

/**
 * Parses a reference: a name, attributes and constant indices, and nothing else.
 *
 * @see go hclsyntax.ParseTraversalAbs
 */
export function parseTraversal(source: string | Uint8Array, filename: string, options: ParseOptions = {}): ParsedTraversal {
  return wholeTraversal(source, filename, options, false);
}

/**
 * Parses a reference that may have `[*]` in it, for elements that are not known yet.
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
