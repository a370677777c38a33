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
 * Brings a source of the native syntax into the canonical layout. Only white space within lines changes: indentation, spaces
 * between tokens, and those before the `=` and the comments of successive lines, which are aligned. Text in quotes and
 * heredocs stays as it is.
 *
 * A source with errors is laid out as well as its tokens allow; beyond 500 levels indentation does not grow. A byte order mark
 * is dropped.
 *
 * @throws HclError `TOO_LONG` where so much had to be aligned that no string can hold it.
 * @returns a string for a string, bytes for bytes, in which bytes that are no UTF-8 stay as they are.
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

/** How many spaces stand before each token. */
function layout(tokens: Tokens): Int32Array {
  const lines = linesOf(tokens);
  const spaces = new Int32Array(tokens.count);
  // Nothing lays out what stands before the end, be it a byte order mark.
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

/** Deeper sources are not valid, see `nesting` in the README; without a limit what is written would grow with the square of what is read. */
const deepest = 500;

/**
 * Two spaces for each line that is open: one that opens more brackets than it closes, until as many have been closed. How many
 * it opens makes no difference.
 */
function indent(tokens: Tokens, lines: readonly Line[], spaces: Int32Array): void {
  const open: number[] = [];
  for (const line of lines) {
    if (line.start === line.end || tokens.kind(line.start) === Kind.Newline) continue;
    const net = openedBy(tokens, line);
    close(open, -net);
    spaces[line.start] = 2 * Math.min(open.length, deepest);
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

/** Something to be aligned with its like in the lines above and below, and the columns that stand before it. */
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

/** The source with other spaces between its tokens. */
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
