// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { composeSegments, isNonStarter, longestRun } from "./stream-safe.ts";
import { newer, vowelSign } from "./unicode-15.ts";

/** Matches text with characters from U+0300, which normal form C may change. */
const mayChange: RegExp = /[\u0300-\uffff]/;
const mark: RegExp = /[\p{M}\u1160-\u11ff\uff9e\uff9f]/u;

const newerCharacters = new CodePoints(newer);

/** Whether the character is assigned, but not in Unicode 15.0. */
export function isNewer(codePoint: number): boolean {
  return codePoint > 0x88e && newerCharacters.has(codePoint);
}

/**
 * Returns the string as values contain it: well-formed Unicode in normal form C.
 *
 * Lone surrogates, which UTF-8 cannot represent, become U+FFFD. As in Go, U+034F is inserted into runs of more than 30 combining
 * characters, and characters that are not in Unicode 15.0 are not changed.
 *
 * @see go-cty ctystrings.Normalize, golang.org/x/text/unicode/norm
 */
export function normalizeString(text: string): string {
  if (!mayChange.test(text)) return text;
  const wellFormed = text.toWellFormed();
  const marked = mark.test(wellFormed);
  // Without combining characters, only single characters can change.
  const normal = wellFormed.normalize("NFC");
  if (!marked && normal === wellFormed) return normal;
  return needsCare(wellFormed) ? carefully(wellFormed) : normal;
}

/** Whether Go's normal form of the text differs from Unicode's, or the text has a character newer than Unicode 15.0. */
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

/** Normalises the parts between newer characters. */
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
