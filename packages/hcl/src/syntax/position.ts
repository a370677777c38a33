// SPDX-License-Identifier: Apache-2.0

/** A position in a source text. */
export interface SourcePosition {
  /** Line number from 1; a line ends with LF or CR LF. */
  readonly line: number;
  /** Column number from 1, in characters as people see them (grapheme clusters of UAX #29), not in bytes or UTF-16 units. */
  readonly column: number;
  /** Offset in the UTF-8 encoding of the text, from 0. */
  readonly byte: number;
}

/**
 * A range of a source text, from `start` up to but not including `end`.
 *
 * Ranges of the native syntax hold offsets, and compute `start` and `end` when these are read. Copy a range by naming its three
 * properties: a spread (`{ ...range }`) or `structuredClone` leaves them out.
 */
export interface SourceRange {
  readonly filename: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** The position of the start of a file. */
export const initialPosition: SourcePosition = { line: 1, column: 1, byte: 0 };
