// SPDX-License-Identifier: Apache-2.0

/** A place in a source text. */
export interface SourcePosition {
  /** Counted from 1; a line ends with LF or CR LF. */
  readonly line: number;
  /** Counted from 1, in characters as people see them (grapheme clusters of UAX #29), not in bytes or UTF-16 units. */
  readonly column: number;
  /** Offset in the UTF-8 encoding of the text, from 0. */
  readonly byte: number;
}

/** A stretch of a source text: `start` belongs to it, `end` does not. */
export interface SourceRange {
  readonly filename: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** Where every file starts. */
export const initialPosition: SourcePosition = { line: 1, column: 1, byte: 0 };

/** From the start of one range to the end of another, of the same file. */
export function rangeBetween(first: SourceRange, last: SourceRange): SourceRange {
  return { filename: first.filename, start: first.start, end: last.end };
}

/** What covers both ranges, of the same file; an empty one does not count. */
export function rangeOver(a: SourceRange, b: SourceRange): SourceRange {
  if (isEmptyRange(a)) return b;
  if (isEmptyRange(b)) return a;
  return {
    filename: a.filename,
    start: a.start.byte < b.start.byte ? a.start : b.start,
    end: a.end.byte > b.end.byte ? a.end : b.end,
  };
}

/** The empty range before the first character of a range. */
export function startOfRange(range: SourceRange): SourceRange {
  return { filename: range.filename, start: range.start, end: range.start };
}

/** The empty range after the last character of a range. */
export function endOfRange(range: SourceRange): SourceRange {
  return { filename: range.filename, start: range.end, end: range.end };
}

export function isEmptyRange(range: SourceRange): boolean {
  return range.start.byte === range.end.byte;
}

/** Is the byte at this offset in the range? */
export function rangeContains(range: SourceRange, offset: number): boolean {
  return offset >= range.start.byte && offset < range.end.byte;
}

/** `main.tf:3,5-12`, or `main.tf:3,5-4,2` for several lines: line, column, and the column after the last character. */
export function formatRange({ filename, start, end }: SourceRange): string {
  const from = `${filename}:${start.line},${start.column}`;
  return start.line === end.line ? `${from}-${end.column}` : `${from}-${end.line},${end.column}`;
}
