// SPDX-License-Identifier: Apache-2.0
import { graphemeEnds } from "@tenon/cty/unstable/payload";

/** Text whose characters are one grapheme cluster each, so that they can be counted without segmentation. */
const standAlone =
  /^[ -~\t\n\u00a1-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u1fff\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff]*$/;

/** Change of a position after a text. */
export interface Advance {
  readonly lines: number;
  readonly column: number;
}

/**
 * Counts lines and columns of a text: a column for each grapheme cluster, a new line after LF and CR LF.
 *
 * @param text Text in which invalid UTF-8 bytes are lone surrogates (see SourceText); each counts as a character.
 * @param column Column of the start of the text.
 */
export function advanceOver(text: string, column: number): Advance {
  if (standAlone.test(text)) return advanceOverSimple(text, column);
  let lines = 0;
  let position = column;
  const readable = withoutBadBytes(text);
  for (const end of graphemeEnds(readable)) {
    if (readable.charCodeAt(end - 1) === 0x0a) {
      lines += 1;
      position = 1;
    } else position += 1;
  }
  return { lines, column: position };
}

/** Number of grapheme clusters in a text; LF and CR LF are one each. Invalid bytes count as in {@link advanceOver}. */
export function characterCount(text: string): number {
  return standAlone.test(text) ? text.length : graphemeEnds(withoutBadBytes(text)).length;
}

const loneSurrogate = /\p{Surrogate}/u;
/** Bytes that have the form of a UTF-8 sequence but encode no character; they count as one character. */
const malformedSequence = /[\udcc0-\udcdf][\udc80-\udcbf]|[\udce0-\udcef][\udc80-\udcbf]{2}|[\udcf0-\udcf7][\udc80-\udcbf]{3}/gu;

/** Replaces each malformed sequence by a letter, and each other invalid byte by a control character, which never joins a cluster. */
function withoutBadBytes(text: string): string {
  return loneSurrogate.test(text) ? text.replace(malformedSequence, "x").replace(/\p{Surrogate}/gu, "\0") : text;
}

function advanceOverSimple(text: string, column: number): Advance {
  let lines = 0;
  let lineStart = 0;
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", lineStart)) {
    lines += 1;
    lineStart = index + 1;
  }
  return { lines, column: (lines > 0 ? 1 : column) + text.length - lineStart };
}
