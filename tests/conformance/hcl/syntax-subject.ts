// SPDX-License-Identifier: Apache-2.0
// Runs the oracle's operations about syntax with @tenon/hcl.
import { isUtf8 } from "node:buffer";
import {
  parseConfig,
  parseExpression,
  parseJsonExpression,
  parseTemplate,
  parseTraversal,
  parseTraversalPartial,
  type Expression,
} from "@tenon/hcl";
import {
  absoluteTraversal,
  attributeAt,
  blocksAt,
  expressionList,
  expressionMap,
  keywordOf,
  outermostExpressionAt,
  relativeTraversal,
  staticCall,
  variables,
} from "@tenon/hcl/analysis";
import { isValidIdentifier, tokenize } from "@tenon/hcl/scan";
import { declarationRange, startRange } from "@tenon/hcl/syntax";
import { format } from "@tenon/hcl/write";
import type { Json } from "../cty/notation.ts";
import { writeBody, writeDiagnostic, writeExpression, writeJsonNode, writeRange, writeTraversal } from "./syntax-notation.ts";

const filename = "main.hcl";
/** The recovery mode that behaves like the Go library. */
const options = { recovery: "first-error" } as const;

function sourceOf(notation: Json | undefined): string | Uint8Array {
  return typeof notation === "string" ? notation : Buffer.from((notation as { readonly hex: string }).hex, "hex");
}

/** Decodes bytes as Go does when it writes JSON: each invalid byte becomes one U+FFFD. */
function textOf(bytes: Buffer): string {
  let text = "";
  for (let at = 0, length = 1; at < bytes.length; at += length) {
    const lengths = [1, 2, 3, 4].filter((count) => isUtf8(bytes.subarray(at, at + count)));
    length = lengths[0] ?? 1;
    text += lengths.length > 0 ? bytes.toString("utf8", at, at + length) : "\ufffd";
  }
  return text;
}

function expressionOf(
  syntax: Json | undefined,
  source: Json | undefined,
): ReturnType<typeof parseJsonExpression> | ReturnType<typeof parseExpression> {
  if (syntax === "json") return parseJsonExpression(sourceOf(source), filename);
  return (syntax === "template" ? parseTemplate : parseExpression)(sourceOf(source), filename, options);
}

/** The operations by name. */
export const syntaxOperations: Readonly<Record<string, (...args: readonly Json[]) => Json>> = {
  "lex.config": (source) => lexed(source, false),
  "lex.expression": (source) => lexed(source, false),
  "lex.template": (source) => lexed(source, true),
  "parse.config": (source) => {
    const { body, diagnostics } = parseConfig(sourceOf(source), filename, options);
    return { body: writeBody(body), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  "parse.expression": (source) => {
    const { expression, diagnostics } = parseExpression(sourceOf(source), filename, options);
    return { expression: writeExpression(expression), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  "parse.template": (source) => {
    const { expression, diagnostics } = parseTemplate(sourceOf(source), filename, options);
    return { expression: writeExpression(expression), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  "parse.traversal": (source) => {
    const { traversal, diagnostics } = parseTraversal(sourceOf(source), filename, options);
    return { traversal: traversal.length === 0 ? null : writeTraversal(traversal), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  "parse.traversalPartial": (source) => {
    const { traversal, diagnostics } = parseTraversalPartial(sourceOf(source), filename, options);
    return { traversal: traversal.length === 0 ? null : writeTraversal(traversal), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  "json.expression": (source) => {
    const { expression, diagnostics } = parseJsonExpression(sourceOf(source), filename);
    return { node: writeJsonNode(expression.node), diagnostics: diagnostics.map(writeDiagnostic) };
  },
  validIdentifier: (text) => isValidIdentifier(text as string),
  format: (source) => {
    const given = sourceOf(source);
    return typeof given === "string" ? format(given) : textOf(Buffer.from(format(given)));
  },
  at: (source, offset) => {
    const { body } = parseConfig(sourceOf(source), filename, options);
    const attribute = attributeAt(body, offset as number);
    const outermost = outermostExpressionAt(body, offset as number);
    return {
      blocks: blocksAt(body, offset as number).map((block) => writeRange(declarationRange(block))),
      ...(attribute && { attribute: attribute.name }),
      ...(outermost && { outermost: writeRange(outermost.range), native: writeRange(outermost.range) }),
    };
  },
  static: (syntax, source) => {
    const { expression, diagnostics } = expressionOf(syntax, source);
    const absolute = absoluteTraversal(expression);
    const relative = relativeTraversal(expression).traversal;
    return {
      diagnostics: diagnostics.map(writeDiagnostic),
      traversal: absolute.traversal ? writeTraversal(absolute.traversal) : null,
      traversalDiagnostics: absolute.diagnostics.map(writeDiagnostic),
      relative: relative ? writeTraversal(relative) : null,
      keyword: keywordOf(expression) ?? "",
      startRange: writeRange(startRange(expression)),
      range: writeRange(expression.range),
      variables: variables(expression).map(writeTraversal),
      ...listOf(expression),
      ...mapOf(expression),
      ...callOf(expression),
    };
  },
};

function lexed(source: Json | undefined, template: boolean): Json {
  const { tokens, diagnostics } = tokenize(sourceOf(source), filename, { template });
  return {
    tokens: tokens.map(({ type, text, range }) => [type, text, writeRange(range)]),
    diagnostics: diagnostics.map(writeDiagnostic),
  };
}

function listOf(expression: Expression): Readonly<Record<string, Json>> {
  const { list, diagnostics } = expressionList(expression);
  return list ? { list: list.map(({ range }) => writeRange(range)) } : { listDiagnostics: diagnostics.map(writeDiagnostic) };
}

function mapOf(expression: Expression): Readonly<Record<string, Json>> {
  const { map, diagnostics } = expressionMap(expression);
  if (!map) return { mapDiagnostics: diagnostics.map(writeDiagnostic) };
  return { map: map.map(({ key, value }) => [writeRange(key.range), writeRange(value.range), keywordOf(key) ?? ""]) };
}

function callOf(expression: Expression): Readonly<Record<string, Json>> {
  const { call, diagnostics } = staticCall(expression);
  if (!call) return { callDiagnostics: diagnostics.map(writeDiagnostic) };
  return {
    call: {
      name: call.name,
      nameRange: writeRange(call.nameRange),
      arguments: call.arguments.map(({ range }) => writeRange(range)),
      argumentsRange: writeRange(call.argumentsRange),
    },
  };
}
