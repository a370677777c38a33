// SPDX-License-Identifier: Apache-2.0
import type { SourceRange } from "../syntax/position.ts";

/** Contents of files by the file names of ranges. The source of a missing file is not shown. */
export type Sources = ReadonlyMap<string, string | Uint8Array>;

/** A source line without its line break. Offsets are in bytes of the file. */
export interface SourceLine {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** A range of byte offsets, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Content of a file as bytes. */
export function asBytes(source: string | Uint8Array): Buffer {
  return typeof source === "string" ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
}

/** Lines of a source that overlap a range or start at its end. */
export function linesOf(source: Buffer, range: ByteRange): readonly SourceLine[] {
  const lines: SourceLine[] = [];
  let number = 1;
  for (let start = 0; start < source.length && start <= range.end; number++) {
    const found = source.indexOf(lineFeed, start);
    const next = found < 0 ? source.length : found + 1;
    let end = found < 0 ? source.length : found;
    if (end > start && source[end - 1] === carriageReturn) end -= 1;
    const reachesIt = next > range.start || (found < 0 && end >= range.start);
    const isEmptyAfterIt = start === end && start === range.end;
    if (reachesIt && !isEmptyAfterIt) lines.push({ number, start, end, bytes: source.subarray(start, end) });
    start = next;
  }
  return lines;
}

/** Overlap of a line and a range; undefined if there is none. */
export function overlapOf(line: SourceLine, range: ByteRange): ByteRange | undefined {
  const start = Math.max(line.start, range.start);
  const end = Math.min(line.end, range.end);
  return start < end ? { start, end } : undefined;
}

/** Extends a range to whole characters: ranges in JSON strings with escape sequences can end inside one. */
export function wholeCharacters(bytes: Buffer, { start, end }: ByteRange): ByteRange {
  const isWithin = (at: number): boolean => (bytes[at]! & 0xc0) === 0x80;
  const whole = { start, end };
  while (isWithin(whole.start)) whole.start--;
  while (isWithin(whole.end)) whole.end++;
  return whole;
}

/** The range to mark, and the range to show around it. Neither is empty: an empty range is extended over the next character. */
export function shownRanges(
  subject: SourceRange,
  context: SourceRange | undefined,
): { readonly marked: SourceRange; readonly shown: ByteRange } {
  const marked = atLeastOneByte(subject);
  if (context === undefined || context.start.byte === context.end.byte)
    return { marked, shown: { start: marked.start.byte, end: marked.end.byte } };
  const isEmpty = subject.start.byte === subject.end.byte;
  const start = isEmpty ? context.start.byte : Math.min(subject.start.byte, context.start.byte);
  const end = isEmpty ? context.end.byte : Math.max(subject.end.byte, context.end.byte);
  return { marked, shown: { start, end } };
}

/** The range as plain data, extended over the next byte if it is empty. */
function atLeastOneByte({ filename, start, end }: SourceRange): SourceRange {
  const isEmpty = start.byte === end.byte;
  return { filename, start, end: isEmpty ? { ...end, byte: end.byte + 1, column: end.column + 1 } : end };
}
