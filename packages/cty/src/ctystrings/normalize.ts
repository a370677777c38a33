// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { newer, nonStarter } from "./unicode-15.ts";

/** Nothing below U+0300 changes under normal form C, alone or next to its like. */
const mayChange: RegExp = /[\u0300-\uffff]/;
const mark: RegExp = /[\p{M}\u1160-\u11ff]/u;

/** So many combining characters may follow one another; then "stream-safe" text has a joiner that combines with nothing. */
export const longestRun = 30;
const joiner = "\u034f";

const nonStarters = new CodePoints(nonStarter);
const newerCharacters = new CodePoints(newer);

/** May the character combine with the one before it? */
export function isNonStarter(codePoint: number): boolean {
  return nonStarters.has(codePoint);
}

/** Is the character assigned, but not in Unicode 15.0 yet? */
export function isNewer(codePoint: number): boolean {
  return codePoint > 0x88e && newerCharacters.has(codePoint);
}

/**
 * A string as values hold it: well-formed Unicode in normal form C.
 *
 * Lone surrogates, which no UTF-8 can carry, become U+FFFD. As in Go, runs of more than 30 combining characters are broken
 * by U+034F, and characters that Unicode 15.0 does not know stay as they are.
 *
 * @see go-cty ctystrings.Normalize, golang.org/x/text/unicode/norm
 */
export function normalizeString(text: string): string {
  if (!mayChange.test(text)) return text;
  const wellFormed = text.toWellFormed();
  const marked = mark.test(wellFormed);
  // Without combining characters only single characters can change, and newer ones are rare.
  const normal = wellFormed.normalize("NFC");
  if (!marked && normal === wellFormed) return normal;
  return needsCare(wellFormed) ? carefully(wellFormed) : normal;
}

/** Are there too many combining characters in a row, or characters newer than Unicode 15.0? */
function needsCare(text: string): boolean {
  let run = 0;
  for (const character of text.normalize("NFD")) {
    const codePoint = character.codePointAt(0)!;
    if (isNewer(codePoint)) return true;
    run = codePoint >= 0x300 && isNonStarter(codePoint) ? run + 1 : 0;
    if (run > longestRun) return true;
  }
  for (const character of text) if (isNewer(character.codePointAt(0)!)) return true;
  return false;
}

/** Newer characters stand between the parts that are normalised. */
function carefully(text: string): string {
  let result = "";
  let part = "";
  for (const character of text) {
    if (isNewer(character.codePointAt(0)!)) {
      result += streamSafe(part) + character;
      part = "";
    } else part += character;
  }
  return result + streamSafe(part);
}

/** Combining characters are counted in the order in which they come, before they are put into canonical order. */
function streamSafe(text: string): string {
  let safe = "";
  let run = 0;
  for (const character of text) {
    const parts = [...character.normalize("NFD")];
    const starter = parts.findLastIndex((part) => !isNonStarter(part.codePointAt(0)!));
    const trailing = parts.length - 1 - starter;
    run = starter < 0 ? run + trailing : trailing;
    if (run > longestRun) {
      safe += joiner;
      run = trailing;
    }
    safe += character;
  }
  return safe.normalize("NFC");
}
