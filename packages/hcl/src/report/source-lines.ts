// SPDX-License-Identifier: Apache-2.0
import type { SourceRange } from "../syntax/position.ts";

/** Texts of files by their names, as ranges have them; where one is missing, no source is shown. */
export type Sources = ReadonlyMap<string, string | Uint8Array>;

/** A line of a source, without what ends it. Offsets are in bytes of the file. */
export interface SourceLine {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** Offsets in bytes: `end` does not belong to it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export function asBytes(source: string | Uint8Array): Buffer {
  return typeof source === "string" ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
}

/** The lines of a source that a range touches; one that ends where a line starts touches it. */
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

/** What of a line is in a range; undefined if nothing is. */
export function overlapOf(line: SourceLine, range: ByteRange): ByteRange | undefined {
  const start = Math.max(line.start, range.start);
  const end = Math.min(line.end, range.end);
  return start < end ? { start, end } : undefined;
}

/** A range that cuts no characters: places in JSON strings with escapes before them can be within one. */
export function wholeCharacters(bytes: Buffer, { start, end }: ByteRange): ByteRange {
  const isWithin = (at: number): boolean => (bytes[at]! & 0xc0) === 0x80;
  const whole = { start, end };
  while (isWithin(whole.start)) whole.start--;
  while (isWithin(whole.end)) whole.end++;
  return whole;
}

/** The place that is wrong, and what is to be shown around it. Neither is empty: what points between two characters takes the second. */
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

function atLeastOneByte(range: SourceRange): SourceRange {
  const { start, end } = range;
  if (start.byte !== end.byte) return range;
  return { ...range, end: { ...end, byte: end.byte + 1, column: end.column + 1 } };
}
