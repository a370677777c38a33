// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "@tenon/cty/unstable/payload";
import { HclError } from "../error.ts";
import { parseConfig } from "../parse/parse.ts";
import { quoted } from "../print/quote.ts";
import type { AttributeSyntax } from "../syntax/body.ts";

/** Prefix that makes an expression an attribute for parsing. It is ASCII, so its length in bytes is that of the string. */
export const attributePrefix = "x = ";

/** Parses an expression as that of an attribute, which ends at a newline outside of brackets. */
export function parseAsAttribute(expression: string): AttributeSyntax | undefined {
  const { body, diagnostics } = parseConfig(`${attributePrefix}${expression}\n`, "");
  const attribute = body.attributes.get("x");
  return diagnostics.length === 0 && body.attributes.size === 1 && body.blocks.length === 0 ? attribute : undefined;
}

/**
 * Checks an expression, and returns it without surrounding white space.
 *
 * @throws HclError `INVALID_EDIT` with the syntax error.
 */
export function validExpression(expression: string, newline: string): string {
  const trimmed = expression.trim();
  const read = parseAsAttribute(trimmed);
  // A comment at the end of the expression would include the rest of the line.
  const isWhole = read?.range.end.byte === Buffer.byteLength(`${attributePrefix}${trimmed}`);
  if (isWhole) return newline === "\n" ? trimmed : trimmed.replace(/\r?\n/g, newline);
  const [problem] = parseConfig(`${attributePrefix}${trimmed}\n`, "").diagnostics;
  const why = problem ? `${problem.summary}: ${problem.detail}` : "it must be one expression, without a comment after it";
  throw new HclError("INVALID_EDIT", `${JSON.stringify(expression)} cannot be an attribute's expression: ${why}`);
}

/** Whether an expression ends with a heredoc, after which nothing may follow on the line. */
export function endsWithHeredoc(expression: string): boolean {
  return parseAsAttribute(`${expression} # c`) === undefined;
}

/** A block label in quotes. */
export function quoteLabel(label: string): string {
  return quoted(normalizeString(label));
}
