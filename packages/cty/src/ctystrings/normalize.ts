// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { composeSegments, isNonStarter, longestRun } from "./stream-safe.ts";
import { newer, vowelSign } from "./unicode-15.ts";

/** Nothing below U+0300 changes under normal form C, alone or next to its like. */
const mayChange: RegExp = /[\u0300-\uffff]/;
const mark: RegExp = /[\p{M}\u1160-\u11ff\uff9e\uff9f]/u;

const newerCharacters = new CodePoints(newer);

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

/** Does Go's normal form differ from Unicode's here, or is there a character newer than Unicode 15.0? */
function needsCare(text: string): boolean {
  for (const character of text) if (isNewer(character.codePointAt(0)!)) return true;
  let run = 0;
  for (const character of text.normalize("NFKD")) {
    const codePoint = character.codePointAt(0)!;
    run = codePoint >= 0x300 && isNonStarter(codePoint) ? run + 1 : 0;
    if (run > longestRun) return true;
  }
  return vowelSign.test(text.normalize("NFC"));
}

/** Newer characters stand between the parts that are normalised. */
function carefully(text: string): string {
  let result = "";
  let part = "";
  for (const character of text) {
    if (isNewer(character.codePointAt(0)!)) {
      result += composeSegments(part) + character;
      part = "";
    } else part += character;
  }
  return result + composeSegments(part);
}
