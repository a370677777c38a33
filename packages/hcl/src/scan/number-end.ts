// SPDX-License-Identifier: Apache-2.0

/** End of a number token: digits, points and exponents in any order, without a final point. The parser rejects invalid numbers. */
export function numberEnd(text: string, start: number): number {
  let end = start + 1;
  let index = end;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x30 && unit <= 0x39) end = index += 1;
    else if (unit === 0x2e) index += 1;
    else if (unit === 0x65 || unit === 0x45) {
      const next = text.charCodeAt(index + 1);
      const digit = next === 0x2b || next === 0x2d ? index + 2 : index + 1;
      const unit = text.charCodeAt(digit);
      if (!(unit >= 0x30 && unit <= 0x39)) return end;
      end = index = digit + 1;
    } else return end;
  }
}
