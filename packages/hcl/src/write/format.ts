// SPDX-License-Identifier: Apache-2.0
import { constants } from "node:buffer";
import { HclError } from "../error.ts";
import { characterCount } from "../scan/column.ts";
import { scan } from "../scan/scanner.ts";
import { encodeText } from "../scan/source-text.ts";
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";
import { hasAssign, hasComment, linesOf, openedBy, type Line } from "./lines.ts";
import { spaceBetween } from "./spacing.ts";

/**
 * Formats a source of the native syntax in the canonical layout. Only white space within lines changes: indentation, spaces between tokens,
 * and spaces that align the `=` and the comments of successive lines. Text in quotes and heredocs does not change.
 *
 * A source with errors is formatted as far as its tokens allow. Indentation stops growing at 500 levels. A byte order mark is removed.
 *
 * @throws HclError `TOO_LONG` if alignment makes the result longer than a string can be.
 * @returns A string for a string, bytes for bytes; invalid UTF-8 bytes are kept.
 * @see go hclwrite.Format
 *
 * @example
 * format("a=1 # one\nlong = [ 2,3 ] # two\n") // => "a    = 1      # one\nlong = [2, 3] # two\n"
 */
export function format(source: string): string;
export function format(source: Uint8Array): Uint8Array;
export function format(source: string | Uint8Array): string | Uint8Array {
  const tokens = scan(source, "", "config");
  const text = written(tokens, layout(tokens));
  return typeof source === "string" ? text : encodeText(text);
}

/** Number of spaces before each token. */
function layout(tokens: Tokens): Int32Array {
  const lines = linesOf(tokens);
  const spaces = new Int32Array(tokens.count);
  // The spaces before the end of the source are kept, a byte order mark included.
  const end = tokens.count - 1;
  spaces[end] = tokens.start(end).byte - (end > 0 ? tokens.end(end - 1).byte : 0);
  indent(tokens, lines, spaces);
  for (const { start, assign, comment } of lines) {
    separate(tokens, start, assign, spaces);
    separate(tokens, assign, comment, spaces);
  }
  const columns = (start: number, stop: number): number => columnsOf(tokens, spaces, start, stop);
  align(
    lines.map((line) => (hasAssign(line) ? { at: line.assign, columns: columns(line.start, line.assign) } : undefined)),
    spaces,
  );
  align(
    lines.map((line) => (hasComment(line) ? { at: line.comment, columns: columns(line.start, line.comment) } : undefined)),
    spaces,
  );
  return spaces;
}

/** Maximum indentation depth. Deeper sources are invalid (see `nesting` in the README), and unlimited indentation would be quadratic. */
const maxIndentationDepth = 500;

/**
 * Indents by two spaces for each open line. A line that opens more brackets than it closes is open until they are closed, and counts once,
 * however many brackets it opens.
 */
function indent(tokens: Tokens, lines: readonly Line[], spaces: Int32Array): void {
  const open: number[] = [];
  for (const line of lines) {
    if (line.start === line.end || tokens.kind(line.start) === Kind.Newline) continue;
    const net = openedBy(tokens, line);
    close(open, -net);
    spaces[line.start] = 2 * Math.min(open.length, maxIndentationDepth);
    if (net > 0) open.push(net);
  }
}

function close(open: number[], brackets: number): void {
  for (let left = brackets; left > 0 && open.length > 0;) {
    const innermost = open.pop()!;
    if (left < innermost) open.push(innermost - left);
    left -= innermost;
  }
}

function separate(tokens: Tokens, start: number, end: number, spaces: Int32Array): void {
  for (let index = start; index < end - 1; index++) {
    const kind = tokens.kind(index);
    const isIn = kind === Kind.Ident && tokens.text(index) === "in";
    const before = index > start ? tokens.kind(index - 1) : undefined;
    spaces[index + 1] = spaceBetween(kind, tokens.kind(index + 1), before, isIn) ? 1 : 0;
  }
}

function columnsOf(tokens: Tokens, spaces: Int32Array, start: number, end: number): number {
  let columns = 0;
  for (let index = start; index < end; index++) {
    columns += spaces[index]!;
    columns += tokens.width(index) ?? characterCount(tokens.source.text.slice(tokens.startIndex(index), tokens.endIndex(index)));
  }
  return columns;
}

/** A token to be aligned with those of the lines above and below, and its column. */
interface Cell {
  readonly at: number;
  readonly columns: number;
}

function align(cells: readonly (Cell | undefined)[], spaces: Int32Array): void {
  for (let start = 0; start < cells.length;) {
    let widest = 0;
    let end = start;
    for (let cell = cells[end]; cell; cell = cells[++end]) widest = Math.max(widest, cell.columns);
    for (const cell of cells.slice(start, end)) spaces[cell!.at] = widest - cell!.columns + 1;
    start = end + 1;
  }
}

/** The source with the given spaces between its tokens. */
function written(tokens: Tokens, spaces: Int32Array): string {
  const { text } = tokens.source;
  const length = spaces.reduce((sum, count) => sum + count, text.length);
  if (length > constants.MAX_STRING_LENGTH) throw new HclError("TOO_LONG", `the formatted source would have ${length} characters`);
  let result = "";
  let copied = tokens.startIndex(0);
  result += " ".repeat(spaces[0]!);
  for (let index = 1; index < tokens.count; index++) {
    const from = tokens.endIndex(index - 1);
    const to = tokens.startIndex(index);
    const wanted = spaces[index]!;
    if (to - from === wanted && isBlank(text, from, to)) continue;
    result += text.slice(copied, from) + " ".repeat(wanted);
    copied = to;
  }
  return result + text.slice(copied);
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (text.charCodeAt(index) !== 0x20) return false;
  return true;
}
