// SPDX-License-Identifier: Apache-2.0

const identifierStart = /^\p{ID_Start}$/u;
const identifierPart = /^\p{ID_Continue}$/u;
const wholeIdentifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

const startFlag = 1;
const partFlag = 2;

/** For each ASCII character, whether an identifier may start or continue with it. */
const ascii: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const starts = character === "_" || identifierStart.test(character);
  return (starts ? startFlag : 0) | (character === "-" || identifierPart.test(character) ? partFlag : 0);
});

/** Whether an identifier may start with this character: ID_Start of UAX #31, or an underscore. */
export function startsIdentifier(codePoint: number): boolean {
  return codePoint < 128 ? (ascii[codePoint]! & startFlag) !== 0 : identifierStart.test(String.fromCodePoint(codePoint));
}

/** Whether an identifier may continue with this character: ID_Continue of UAX #31, or a hyphen. */
export function continuesIdentifier(codePoint: number): boolean {
  return codePoint < 128 ? (ascii[codePoint]! & partFlag) !== 0 : identifierPart.test(String.fromCodePoint(codePoint));
}

/** End of the identifier whose first character ends at `start`; offsets in UTF-16 units. */
export function identifierEnd(text: string, start: number): number {
  let index = start;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit < 128) {
      if ((ascii[unit]! & partFlag) === 0) return index;
      index += 1;
    } else {
      const codePoint = text.codePointAt(index);
      if (codePoint === undefined || !continuesIdentifier(codePoint)) return index;
      index += codePoint > 0xffff ? 2 : 1;
    }
  }
}

/**
 * Whether a name is valid for an attribute, a variable or a block type.
 *
 * @example
 * isValidIdentifier("count-2") // => true
 * isValidIdentifier("2nd") // => false
 */
export function isValidIdentifier(name: string): boolean {
  return wholeIdentifier.test(name);
}
