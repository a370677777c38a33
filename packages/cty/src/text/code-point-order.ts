// SPDX-License-Identifier: Apache-2.0

/**
 * Compares two strings by code point, which is the order of their UTF-8 bytes and the order in Go. JavaScript's `<` compares UTF-16
 * units, and orders U+E000 to U+FFFF after code points beyond U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return left >= 0xd800 && right >= 0xd800 ? surrogatesLast(left) - surrogatesLast(right) : left - right;
  }
  return a.length - b.length;
}

function surrogatesLast(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const astralOrBeyond: RegExp = /[\ud800-\uffff]/;

/** Sorts strings by code point, in place. Uses JavaScript's faster order where the two agree. */
export function sortByCodePoint(texts: string[]): string[] {
  return texts.some((text) => astralOrBeyond.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}
