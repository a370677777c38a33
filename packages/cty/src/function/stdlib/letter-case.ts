// SPDX-License-Identifier: Apache-2.0
import { isNewer } from "../../text/normalize.ts";

/*
 * Go maps each character to one character, by the tables of Unicode 15.0. JavaScript maps whole texts: `ß` becomes `SS`, and the
 * lower case of a sigma depends on the letters around it.
 */

/** Letters with an iota, whose upper case in JavaScript has two characters, but whose title case has one. */
const withIota = /[\u1f80-\u1faf\u1fb3\u1fbc\u1fc3\u1fcc\u1ff3\u1ffc]/;

/** @see go unicode.ToUpper */
/** Returns the upper-case form of a character, as Go's unicode.ToUpper. */
export function upperCharacter(character: string): string {
  const upper = character.toUpperCase();
  if (upper === character) return character;
  if ([...upper].length > 1) return withIota.test(character) ? titleWithIota(character) : character;
  return isNewer(upper.codePointAt(0)!) || isNewer(character.codePointAt(0)!) ? character : upper;
}

function titleWithIota(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= 0x1faf) return String.fromCharCode(code | 8);
  return (code & 0xf) === 3 ? String.fromCharCode(code + 9) : character;
}

/** @see go unicode.ToLower */
/** Returns the lower-case form of a character, as Go's unicode.ToLower. */
export function lowerCharacter(character: string): string {
  const lower = character.toLowerCase();
  if (lower === character) return character;
  if (character === "\u0130") return "i";
  return isNewer(lower.codePointAt(0)!) || isNewer(character.codePointAt(0)!) ? character : lower;
}

/** The title case of a character. Digraphs have a title case of their own; that of a Georgian letter is the letter itself. @see go unicode.ToTitle */
export function titleCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0x01c4 && code <= 0x01cc) return String.fromCharCode(0x01c5 + 3 * Math.floor((code - 0x01c4) / 3));
  if (code >= 0x01f1 && code <= 0x01f3) return "\u01f2";
  if (code >= 0x10d0 && code <= 0x10ff) return character;
  return upperCharacter(character);
}

const ascii: RegExp = /^[\0-\x7f]*$/;

/** @see go strings.ToUpper */
/** Returns the text with each character in upper case, as Go's strings.ToUpper. */
export function upperCase(text: string): string {
  return ascii.test(text) ? text.toUpperCase() : Array.from(text, upperCharacter).join("");
}

/** @see go strings.ToLower */
/** Returns the text with each character in lower case, as Go's strings.ToLower. */
export function lowerCase(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : Array.from(text, lowerCharacter).join("");
}

/** The characters of Go's `unicode.IsSpace`. */
const space: RegExp = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const asciiWord: RegExp = /[0-9A-Za-z_]/;

/** Whether a character separates words: in ASCII all but letters, digits and the underscore, beyond ASCII only white space. */
function separates(character: string): boolean {
  return character < "\x80" ? !asciiWord.test(character) : space.test(character);
}

/** The text with the first letter of each word in title case. @see go strings.Title */
export function titleCase(text: string): string {
  let before = " ";
  let result = "";
  for (const character of text) {
    result += separates(before) ? titleCharacter(character) : character;
    before = character;
  }
  return result;
}

const spacesAround: RegExp = new RegExp(`^${space.source}+|${space.source}+$`, "g");

/** @see go strings.TrimSpace */
/** Returns the text without leading and trailing white space, as Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  return text.replace(spacesAround, "");
}
