// SPDX-License-Identifier: Apache-2.0
import { callError } from "../../error.ts";
import { goQuoteCharacter } from "./go-format.ts";

/** A verb of a format, such as `%-5.2[1]f`. */
export interface FormatVerb {
  /** The verb's text. */
  readonly raw: string;
  /** Offset in the format, in bytes of UTF-8. */
  readonly offset: number;
  /** The letter. */
  readonly mode: string;
  /** Any of `#`, `0`, `-`, `+` and space. */
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  /** Number of the argument, from 1; undefined for the argument after that of the previous verb. */
  readonly argument: number | undefined;
}

const encoder = new TextEncoder();
const verbGrammar: RegExp = /%([ #+\-0]*)([1-9]\d*)?(\.\d*)?(?:\[([1-9]\d*)\])?([A-Za-z])/y;
/** The longest valid start of a malformed verb. */
const verbStart: RegExp = /%[ #+\-0]*(?:[1-9]\d*)?(?:\.\d*)?(?:\[(?:[1-9]\d*\]?)?)?/y;

/**
 * Yields the pieces of a format: text to copy, and verbs.
 *
 * @throws FunctionError for the first malformed verb, after all pieces before it.
 * @see go-cty format_fsm.rl
 */
export function* formatPieces(format: string): Generator<string | FormatVerb, void> {
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf("%", at);
    if (percent < 0) {
      yield format.slice(at);
      return;
    }
    if (percent > at) yield format.slice(at, percent);
    if (format[percent + 1] === "%") {
      yield "%";
      at = percent + 2;
      continue;
    }
    verbGrammar.lastIndex = percent;
    const match = verbGrammar.exec(format);
    if (match === null) throw malformed(format, percent);
    at = verbGrammar.lastIndex;
    yield verbOf(format, percent, match);
  }
}

function verbOf(format: string, start: number, match: RegExpExecArray): FormatVerb {
  const [raw, flags = "", width, precision, argument, mode = ""] = match;
  return {
    raw,
    offset: byteOffset(format, start),
    mode,
    flags,
    width: width === undefined ? undefined : Number(width),
    precision: precision === undefined ? undefined : Number(precision.slice(1)),
    argument: argument === undefined ? undefined : Number(argument),
  };
}

function malformed(format: string, start: number): Error {
  verbStart.lastIndex = start;
  verbStart.exec(format);
  const end = verbStart.lastIndex;
  const offset = byteOffset(format, end);
  if (end === format.length) return callError(`invalid format string starting at offset ${offset}`);
  const character = String.fromCodePoint(format.codePointAt(end)!);
  return callError(`unrecognized format character ${goQuoteCharacter(character)} at offset ${offset}`);
}

function byteOffset(text: string, at: number): number {
  return encoder.encode(text.slice(0, at)).length;
}
