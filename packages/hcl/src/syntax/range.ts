// SPDX-License-Identifier: Apache-2.0
import { PackedRange } from "./packed-range.ts";
import type { SourceRange } from "./position.ts";

/** Range from the start of one range to the end of another in the same file. */
export function rangeBetween(first: SourceRange, last: SourceRange): SourceRange {
  if (first instanceof PackedRange && last instanceof PackedRange && first.table === last.table) {
    return new PackedRange(first.table, first.startByte, last.endByte);
  }
  return { filename: first.filename, start: first.start, end: last.end };
}

/** Smallest range that covers two ranges of the same file. An empty range is ignored. */
export function rangeOver(a: SourceRange, b: SourceRange): SourceRange {
  if (isEmptyRange(a)) return b;
  if (isEmptyRange(b)) return a;
  return {
    filename: a.filename,
    start: a.start.byte < b.start.byte ? a.start : b.start,
    end: a.end.byte > b.end.byte ? a.end : b.end,
  };
}

/** Empty range at the start of a range. */
export function startOfRange(range: SourceRange): SourceRange {
  if (range instanceof PackedRange) return new PackedRange(range.table, range.startByte, range.startByte);
  return { filename: range.filename, start: range.start, end: range.start };
}

/** Empty range at the end of a range. */
export function endOfRange(range: SourceRange): SourceRange {
  if (range instanceof PackedRange) return new PackedRange(range.table, range.endByte, range.endByte);
  return { filename: range.filename, start: range.end, end: range.end };
}

/** Byte offset of the start of a range. */
export function startByteOf(range: SourceRange): number {
  return range instanceof PackedRange ? range.startByte : range.start.byte;
}

/** Whether a range covers no characters. */
export function isEmptyRange(range: SourceRange): boolean {
  return range.start.byte === range.end.byte;
}

/** Whether the range includes the byte at this offset. */
export function rangeContains(range: SourceRange, offset: number): boolean {
  return offset >= range.start.byte && offset < range.end.byte;
}

/** Formats a range as `main.tf:3,5-12`, or as `main.tf:3,5-4,2` over several lines: line and column of the start, and of the end. */
export function formatRange({ filename, start, end }: SourceRange): string {
  const from = `${filename}:${start.line},${start.column}`;
  return start.line === end.line ? `${from}-${end.column}` : `${from}-${end.line},${end.column}`;
}
