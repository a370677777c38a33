// SPDX-License-Identifier: Apache-2.0
import { parseTemplate, type ParsedExpression } from "../parse/parse.ts";
import type { SourceRange } from "../syntax/position.ts";

const parsed = new WeakMap<SourceRange, ParsedExpression>();

/**
 * A string of the JSON syntax as a template. Places in it are those of the resolved text, counted from after the opening quote:
 * close to, but where there are escapes not exactly, where they are in the file.
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
