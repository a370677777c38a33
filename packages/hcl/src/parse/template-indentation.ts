// SPDX-License-Identifier: Apache-2.0
import { graphemeEnds } from "@tenon/cty/unstable/payload";
import { isSpace } from "../scan/white-space.ts";
import type { TemplatePart, TextPart } from "./template-parts.ts";

/**
 * Removes the white space that all lines of a `<<-` heredoc start with. Only the source text counts: values of interpolations and
 * blank lines are ignored.
 */
export function removeIndentation(parts: readonly TemplatePart[]): void {
  let smallest = Infinity;
  let atLineStart = true;
  const indented: TextPart[] = [];
  for (const part of parts) {
    if (atLineStart) {
      const indentation = part.kind === "text" ? indentationOf(part.text) : 0;
      if (indentation !== undefined) {
        smallest = Math.min(smallest, indentation);
        if (part.kind === "text") indented.push(part);
      }
    }
    atLineStart = part.kind === "text" && part.text.endsWith("\n");
  }
  for (const part of indented) removeFrom(part, smallest);
}

/** Indentation of a line in characters; undefined for a blank line. */
function indentationOf(text: string): number | undefined {
  let end = 0;
  while (end < text.length && isSpace(text.charCodeAt(end))) end += 1;
  if (end === text.length && text.endsWith("\n")) return undefined;
  return graphemeEnds(text.slice(0, end)).length;
}

function removeFrom(part: TextPart, characters: number): void {
  if (characters === 0) return;
  const removed = characterOffset(part.text, characters);
  const { filename, start, end } = part.range;
  const bytes = Buffer.byteLength(part.text.slice(0, removed));
  part.text = part.text.slice(removed);
  part.range = { filename, start: { line: start.line, column: start.column + characters, byte: start.byte + bytes }, end };
}

// oxlint-disable-next-line no-control-regex -- ASCII text needs no segmentation
const plain = /^[\t\v\f -~]*$/;

function characterOffset(text: string, characters: number): number {
  return plain.test(text.slice(0, characters + 1)) ? characters : (graphemeEnds(text)[characters - 1] ?? text.length);
}
