// SPDX-License-Identifier: Apache-2.0
import { CompressionError } from "./compression-error.ts";

/**
 * Length of the code of each byte, in bits; the last element is for the end of a string.
 *
 * The lengths define the whole table of RFC 7541, appendix B: codes of one length are consecutive, in the order of their symbols, and
 * start after those of the next shorter length.
 */
const codeLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10,
  12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7,
  7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22,
  23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22,
  23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20,
  24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

const longestCode = 30;
const endOfString = 256;

/** For each length, the first code, and the index of its symbol in `symbols`. */
const firstCodes: number[] = [];
const firstSymbols: number[] = [];
const symbols: number[] = [];

for (let length = 0, code = 0; length <= longestCode; length++) {
  firstCodes.push(code);
  firstSymbols.push(symbols.length);
  for (let symbol = 0; symbol < codeLengths.length; symbol++) if (codeLengths[symbol] === length) symbols.push(symbol);
  code = (code + symbols.length - firstSymbols[length]!) * 2;
}
firstSymbols.push(symbols.length);

/**
 * Decodes a Huffman-coded string.
 *
 * @throws CompressionError when the padding is not up to seven ones, or the string contains the end-of-string symbol.
 */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string {
  // The shortest code has five bits.
  const text = Buffer.allocUnsafe(Math.floor(((end - start) * 8) / 5));
  let written = 0;
  let code = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    for (let bit = 7; bit >= 0; bit--) {
      code = (code << 1) | ((bytes[at]! >>> bit) & 1);
      length++;
      const offset = code - firstCodes[length]!;
      const index = firstSymbols[length]! + offset;
      if (index < firstSymbols[length + 1]!) {
        const symbol = symbols[index]!;
        if (symbol === endOfString) throw new CompressionError("a header contains the end-of-string symbol");
        text[written++] = symbol;
        code = 0;
        length = 0;
      }
    }
  }
  if (length > 7 || code !== (1 << length) - 1) throw new CompressionError("a header has invalid padding");
  return text.toString("latin1", 0, written);
}
