// SPDX-License-Identifier: Apache-2.0
import { validator } from "../validators/validator.ts";
import { textType, type TextType } from "./text-type.ts";

/** A duration in Go's format: `1h30m`, `90m`, `1.5h`. Durations of equal length are equivalent. */
export const duration: TextType = textType({
  validators: [validator('must be a duration such as "30s" or "1h30m"', (text: string) => nanoseconds(text) !== undefined)],
  equivalent: (a, b) => {
    const length = nanoseconds(a);
    return length !== undefined && length === nanoseconds(b);
  },
});

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/**
 * Returns the milliseconds of a duration in Go's format, or undefined if the text is not a duration.
 *
 * @see Go's time.ParseDuration
 *
 * @example
 * milliseconds("1m30s")
 * // => 90000
 */
export function milliseconds(text: string): number | undefined {
  const length = nanoseconds(text);
  return length === undefined ? undefined : Number(length) / 1_000_000;
}

/** Returns the nanoseconds of a duration, truncating fractions of a nanosecond, or undefined if the text is not a duration. */
function nanoseconds(text: string): bigint | undefined {
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0n;
  const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
  let total = 0n;
  while (part.lastIndex < rest.length) {
    const [, whole = "", fraction = "", unit = ""] = part.exec(rest) ?? [];
    const scale = units[unit];
    if (scale === undefined || `${whole}${fraction}` === "") return undefined;
    total += BigInt(whole || "0") * scale + (BigInt(fraction || "0") * scale) / 10n ** BigInt(fraction.length);
  }
  if (rest === "") return undefined;
  return sign === "-" ? -total : total;
}
