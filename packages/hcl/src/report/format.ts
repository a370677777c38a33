// SPDX-License-Identifier: Apache-2.0
import { graphemeEnds } from "@tenon/cty/unstable/payload";
import { styleText } from "node:util";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { enclosingAt } from "./enclosing.ts";
import { valueLines } from "./related-values.ts";
import {
  asBytes,
  linesOf,
  overlapOf,
  shownRanges,
  wholeCharacters,
  type SourceLine,
  type Sources,
  type ByteRange,
} from "./source-lines.ts";
import { visibleControls } from "./visible-controls.ts";
import { wordWrap } from "./word-wrap.ts";

/** Options of {@link formatDiagnostics}. */
export interface FormatDiagnosticOptions {
  /** Maximum line length of the detail, in characters. Default: 0, no limit. Source lines are never broken. */
  readonly width?: number;
  /**
   * Whether to use colours and underline the range; otherwise there is a line of carets below it. Default: determined by `stream` and the
   * environment (`NO_COLOR`, `FORCE_COLOR`).
   */
  readonly color?: boolean;
  /** Stream that the text will be written to. Default: standard error. */
  readonly stream?: NodeJS.WritableStream;
}

/** Styles a text. */
export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Formats diagnostics as text: summary, range, the source lines with the range marked, the values of the variables in the expression, and
 * the detail. Marked values are never shown, and control characters are replaced by visible ones.
 *
 * @param sources Contents of the files by name.
 * @see go hcl.NewDiagnosticTextWriter
 *
 * @example
 * formatDiagnostics(parseConfig(text, "main.tf").diagnostics, new Map([["main.tf", text]]), { width: 78 })
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], sources: Sources, options: FormatDiagnosticOptions = {}): string {
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, sources, options)).join("");
}

/** Formats one diagnostic as {@link formatDiagnostics} does, with an empty line at its end. */
export function formatDiagnostic(diagnostic: Diagnostic, sources: Sources, options: FormatDiagnosticOptions = {}): string {
  const { severity, summary, detail } = diagnostic;
  const style = styleFor(options);
  const title = severity === "error" ? style("red", "Error") : style("yellow", "Warning");
  const parts = [`${title}: ${visibleControls(summary)}`];
  if (diagnostic.subject !== undefined) {
    parts.push(placeOf(diagnostic, sources, style));
    const values = valueLines(diagnostic);
    if (values.length > 0) parts.push(`with ${values.join(",\n     ")}.`);
  }
  if (detail !== "") parts.push(wordWrap(visibleControls(detail), options.width ?? 0));
  return parts.map((part) => `${part}\n\n`).join("");
}

/** Function that styles text according to the options. */
export function styleFor({ color, stream = process.stderr }: FormatDiagnosticOptions): Style {
  if (color === false) return (_, text) => text;
  return (format, text) => styleText(format, text, color === true ? { validateStream: false } : { stream, validateStream: true });
}

function placeOf({ subject: given, context }: Diagnostic, sources: Sources, style: Style): string {
  const subject = given!;
  const { filename } = subject;
  const source = sources.get(filename);
  const place = `  on ${visibleControls(filename)} line ${subject.start.line}`;
  if (source === undefined) return `${place}:\n  (source code not available)`;
  const bytes = asBytes(source);
  const { marked, shown } = shownRanges(subject, context);
  const enclosing = enclosingAt(bytes, filename, subject.start.byte);
  const highlighted = { start: marked.start.byte, end: marked.end.byte };
  const lines = linesOf(bytes, shown).map((line) => shownLine(line, highlighted, style));
  return [`${place}${enclosing === undefined ? "" : `, in ${visibleControls(enclosing)}`}:`, ...lines].join("\n");
}

function shownLine(line: SourceLine, highlighted: ByteRange, style: Style): string {
  const number = `${String(line.number).padStart(4)}: `;
  const text = (start: number, end: number): string => visibleControls(line.bytes.toString("utf8", start, end));
  const { length } = line.bytes;
  const overlap = overlapOf(line, highlighted);
  if (overlap === undefined) {
    const isAtItsEnd = highlighted.start === line.end;
    const all = `${number}${text(0, length)}`;
    return isAtItsEnd && !isStyled(style) ? `${all}\n${underline(all, "^")}` : all;
  }
  const { start, end } = wholeCharacters(line.bytes, { start: overlap.start - line.start, end: overlap.end - line.start });
  const before = number + text(0, start);
  const inside = text(start, end);
  const all = `${before}${style(["bold", "underline"], inside)}${text(end, length)}`;
  return isStyled(style) ? all : `${all}\n${underline(before, "^".repeat(Math.max(1, cells(inside))))}`;
}

/** Whether the text has colours. */
export function isStyled(style: Style): boolean {
  return style("bold", "x") !== "x";
}

/** The line below a source line, with carets. Tabs are kept, so that both lines have the same width. */
function underline(before: string, carets: string): string {
  return (
    before
      .split("\t")
      .map((part) => " ".repeat(cells(part)))
      .join("\t") + carets
  );
}

/** Characters that take two cells of a terminal. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;

/** Number of terminal cells of a text. */
function cells(text: string): number {
  let width = 0;
  let start = 0;
  for (const end of graphemeEnds(text)) {
    width += wide.test(text.slice(start, end)) ? 2 : 1;
    start = end;
  }
  return width;
}
