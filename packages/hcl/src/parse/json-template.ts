// SPDX-License-Identifier: Apache-2.0
import { parseTemplate, type ParsedExpression } from "./parse.ts";
import type { SourceRange } from "../syntax/position.ts";

const parsed = new WeakMap<SourceRange, ParsedExpression>();

/**
 * Parses a string of the JSON syntax as a template. Ranges count in the text without escapes, from after the opening quote; they are
 * exact up to the first escape sequence.
 */
export function jsonTemplate(text: string, range: SourceRange): ParsedExpression {
  let template = parsed.get(range);
  if (template === undefined) {
    const { line, column, byte } = range.start;
    template = parseTemplate(text, range.filename, { start: { line, column: column + 1, byte: byte + 1 }, recovery: "first-error" });
    parsed.set(range, template);
  }
  return template;
}
