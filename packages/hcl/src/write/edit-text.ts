// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "@tenon/cty/unstable/payload";
import { HclError } from "../error.ts";
import { parseConfig } from "../parse/parse.ts";
import { quoted } from "../print/quote.ts";
import type { AttributeSyntax } from "../syntax/body.ts";

/** Stands before an expression so that it is read as one of an attribute. Its length is that of its bytes. */
export const wrapping = "x = ";

/** An expression read where it is to stand: as an attribute's, so that newlines end it outside of brackets. */
export function readWrapped(expression: string): AttributeSyntax | undefined {
  const { body, diagnostics } = parseConfig(`${wrapping}${expression}\n`, "");
  const attribute = body.attributes.get("x");
  return diagnostics.length === 0 && body.attributes.size === 1 && body.blocks.length === 0 ? attribute : undefined;
}

/**
 * The expression without the white space around it.
 *
 * @throws HclError `INVALID_EDIT` with what is wrong with it.
 */
export function validExpression(expression: string, newline: string): string {
  const trimmed = expression.trim();
  const read = readWrapped(trimmed);
  // A comment at its end would take the rest of the line with it.
  const isWhole = read?.range.end.byte === Buffer.byteLength(`${wrapping}${trimmed}`);
  if (isWhole) return newline === "\n" ? trimmed : trimmed.replace(/\r?\n/g, newline);
  const [problem] = parseConfig(`${wrapping}${trimmed}\n`, "").diagnostics;
  const why = problem ? `${problem.summary}: ${problem.detail}` : "it must be one expression, without a comment after it";
  throw new HclError("INVALID_EDIT", `${JSON.stringify(expression)} cannot be an attribute's expression: ${why}`);
}

/** Would anything that follows in the line belong to a heredoc? */
export function endsWithHeredoc(expression: string): boolean {
  return readWrapped(`${expression} # c`) === undefined;
}

/** A block's label as it is written, which is in quotes. */
export function quoteLabel(label: string): string {
  return quoted(normalizeString(label));
}
