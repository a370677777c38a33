// SPDX-License-Identifier: Apache-2.0

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Parses an integer in a base from 2 to 62; undefined if the text is not one. Up to base 36 the case of letters is ignored; above,
 * upper-case letters are further digits.
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

/** Combines pairs of digits to digits of the squared base, repeatedly, so that long numbers take less than quadratic time. */
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
