// SPDX-License-Identifier: Apache-2.0

/**
 * Orders two strings by code point, which is the order of their UTF-8 bytes and therefore Go's. JavaScript's own `<`
 * orders by UTF-16 unit and puts U+E000..U+FFFF after the astral planes.
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

/** Sorts strings by code point, in place: JavaScript's own order, which is fast, where the two agree. */
export function sortByCodePoint(texts: string[]): string[] {
  return texts.some((text) => astralOrBeyond.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}
