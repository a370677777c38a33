// SPDX-License-Identifier: Apache-2.0

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * An integer of a base from 2 to 62; undefined if the text is none. Up to base 36 letters are digits in either case, beyond
 * that upper case letters are digits of their own.
 *
 * @see go math/big Int.SetString
 */
export function parseInteger(text: string, base: number): bigint | undefined {
  const negative = text.startsWith("-");
  const size = negative || text.startsWith("+") ? text.slice(1) : text;
  if (size === "") return undefined;
  const values: bigint[] = [];
  for (const character of size) {
    const digit = digits.indexOf(base <= 36 ? lowerAscii(character) : character);
    if (digit < 0 || digit >= base) return undefined;
    values.push(BigInt(digit));
  }
  const result = combine(values, BigInt(base));
  return negative ? -result : result;
}

function lowerAscii(character: string): string {
  return character >= "A" && character <= "Z" ? character.toLowerCase() : character;
}

/** Pairs of digits make digits of the squared base, so that long numbers take less than quadratic time. */
function combine(values: bigint[], base: bigint): bigint {
  let digitsLeft = values;
  let radix = base;
  while (digitsLeft.length > 1) {
    const odd = digitsLeft.length % 2;
    const paired = odd === 1 ? [digitsLeft[0]!] : [];
    for (let index = odd; index < digitsLeft.length; index += 2) paired.push(digitsLeft[index]! * radix + digitsLeft[index + 1]!);
    digitsLeft = paired;
    radix *= radix;
  }
  return digitsLeft[0]!;
}
