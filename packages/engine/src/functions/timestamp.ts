// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "@tenon/cty";
import { unixNanoseconds } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";

/** A part of an RFC 3339 timestamp, in the order of the text. */
interface Part {
  /** The name of the part in errors. */
  readonly name: string;
  /** Matches the digits of the part at the start of the remaining text. */
  readonly digits: RegExp;
  /** The maximum value; undefined for the year, which has none, and for the day, which depends on the month. */
  readonly max?: number;
  readonly min?: number;
  /** The text between this part and the next part. */
  readonly separator: string;
}

const parts: readonly Part[] = [
  { name: "year", digits: /^\d{4}/, separator: "-" },
  { name: "month", digits: /^\d\d/, min: 1, max: 12, separator: "-" },
  { name: "day of month", digits: /^\d\d/, separator: "T" },
  // Go accepts an hour of one digit.
  { name: "hour", digits: /^\d\d?/, max: 23, separator: ":" },
  { name: "minute", digits: /^\d\d/, max: 59, separator: ":" },
  { name: "second", digits: /^\d\d/, max: 59, separator: "" },
];

/**
 * Parses an RFC 3339 timestamp, as Go's `time.Parse` does, to nanoseconds since the start of 1970.
 *
 * @throws CtyError `INVALID_VALUE` with OpenTofu's error text.
 * @see OpenTofu internal/lang/funcs, parseTimestamp
 */
export function parseMoment(text: string): bigint {
  let rest = text;
  const values = parts.map((part) => {
    const digits = part.digits.exec(rest)?.[0];
    if (digits === undefined) throw parseError(rest, part.name);
    rest = rest.slice(digits.length);
    const value = Number(digits);
    if (value < (part.min ?? 0) || value > (part.max ?? Infinity)) throw parseError(rest, part.name);
    rest = afterSeparator(rest, part.separator);
    return value;
  });
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = values;
  const fraction = /^[.,](\d+)/.exec(rest);
  if (fraction !== null) rest = rest.slice(fraction[0].length);
  const nanosecond = Number((fraction?.[1] ?? "").slice(0, 9).padEnd(9, "0"));
  const zone = /^(?:Z|([-+])(\d\d):(\d\d))/.exec(rest);
  if (zone === null) throw parseError(rest, "UTC offset");
  const [whole, sign, offsetHour = "0", offsetMinute = "0"] = zone;
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 60) throw parseError(rest, "UTC offset");
  rest = rest.slice(whole.length);
  if (rest !== "") throw malformed(`parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}`);
  if (day < 1 || day > daysIn(year, month)) throw malformed(`parsing time ${goQuote(text)}: day out of range`);
  const offsetSeconds = (sign === "-" ? -60 : 60) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return unixNanoseconds({ year, month, day, hour, minute, second, nanosecond, offsetSeconds });
}

function afterSeparator(rest: string, separator: string): string {
  if (rest.startsWith(separator)) return rest.slice(separator.length);
  if (separator === "T") throw malformed("missing required time introducer 'T'");
  throw malformed(
    rest === ""
      ? `end of string where ${goQuote(separator)} is expected`
      : `found ${goQuote(rest)} where ${goQuote(separator)} is expected`,
  );
}

function parseError(rest: string, name: string): CtyError {
  return malformed(rest === "" ? `end of string before ${name}` : `cannot use ${goQuote(rest)} as ${name}`);
}

function malformed(problem: string): CtyError {
  return new CtyError("INVALID_VALUE", `not a valid RFC3339 timestamp: ${problem}`);
}

function daysIn(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}
