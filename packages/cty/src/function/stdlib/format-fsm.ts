// SPDX-License-Identifier: Apache-2.0
import { callError } from "../error.ts";
import { goQuoteCharacter } from "./go-format.ts";

/** A verb of a format, such as `%-5.2[1]f`. */
export interface FormatVerb {
  /** As it is written. */
  readonly raw: string;
  /** Where it begins, in bytes of UTF-8. */
  readonly offset: number;
  /** The letter. */
  readonly mode: string;
  /** Any of `#`, `0`, `-`, `+` and space. */
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  /** Which argument it asks for, from 1; undefined for the one after the last. */
  readonly argument: number | undefined;
}

const encoder = new TextEncoder();
const verbGrammar: RegExp = /%([ #+\-0]*)([1-9]\d*)?(\.\d*)?(?:\[([1-9]\d*)\])?([A-Za-z])/y;
/** As much of a verb as there is before something that does not belong. */
const verbStart: RegExp = /%[ #+\-0]*(?:[1-9]\d*)?(?:\.\d*)?(?:\[(?:[1-9]\d*\]?)?)?/y;

/**
 * The pieces of a format in turn: text to copy, and verbs.
 *
 * @throws FunctionError at the first character that makes no sense, once all before it have been given.
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
