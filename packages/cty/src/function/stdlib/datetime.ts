// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../../text/go-quote.ts";
import { string } from "../../type/type.ts";
import { argumentError, FunctionError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { addNanoseconds, dayOfWeek, formatTimestamp, monthNames, offsetText, padded, type CivilTime } from "./date/civil-time.ts";
import { parseTimestamp } from "./date/rfc3339.ts";
import { parseDuration } from "./date/duration.ts";
import { stringOf, stringValue } from "./argument/native.ts";

/**
 * Formats an RFC 3339 timestamp. In the format, letters stand for parts of the time; repeating a letter selects a longer form.
 * Characters that are not letters, and text in single quotes, are copied.
 *
 * | Letters | Part |
 * |---|---|
 * | `YYYY` `YY` | year |
 * | `M` `MM` `MMM` `MMMM` | month, as a number or an English name |
 * | `D` `DD` | day of the month |
 * | `EEE` `EEEE` | day of the week |
 * | `h` `hh`, `H` `HH` | hour of 24, of 12 |
 * | `AA` `aa` | `AM` or `PM`, `am` or `pm` |
 * | `m` `mm`, `s` `ss` | minute, second |
 * | `Z` `ZZZ` `ZZZZ` `ZZZZZ` | offset from UTC: `Z` or `-08:00`, `UTC` or `-0800`, `-0800`, `-08:00` |
 *
 * @example
 * formatDateFunc.call([of(string, "EEE, D MMM YYYY 'at' HH:mm AA"), of(string, "2006-01-02T15:04:05Z")])
 * // => cty.StringVal("Mon, 2 Jan 2006 at 03:04 PM")
 *
 * @see go-cty stdlib.FormatDateFunc
 */
export const formatDateFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Formats an RFC 3339 timestamp.",
  params: [
    { name: "format", type: string },
    { name: "time", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([format, timestamp]) => {
    const time = timeOf(stringOf(timestamp));
    return stringValue(Array.from(stringOf(format).matchAll(token), ([piece]) => formattedToken(piece, time)).join(""));
  },
});

/** Parses the time, which is argument 1. */
function timeOf(text: string): CivilTime {
  try {
    return parseTimestamp(text);
  } catch (error) {
    throw error instanceof FunctionError ? argumentError(1, error.message) : error;
  }
}

/** One of: two quotes, quoted text in which a quote is doubled, one letter once or more, other characters. */
const token: RegExp = /''|'(?:[^']|'')*(?:'|$)|([A-Za-z])\1*|[^'A-Za-z]+/g;

function formattedToken(piece: string, time: CivilTime): string {
  if (piece === "''") return "'";
  if (piece.startsWith("'")) {
    if (piece.length === 1 || !piece.endsWith("'")) throw argumentError(0, "unterminated literal '");
    return piece.slice(1, -1).replaceAll("''", "'");
  }
  const [letter = ""] = piece;
  if (!/[A-Za-z]/.test(letter)) return piece;
  const forms = verbs[letter];
  if (forms === undefined) throw argumentError(0, `invalid date format verb ${goQuote(piece)}`);
  const form = forms.forms[piece.length];
  if (form === undefined) throw argumentError(0, `invalid date format verb ${goQuote(piece)}: ${forms.allowed}`);
  return form(time);
}

type Form = (time: CivilTime) => string;

/** The forms of a number: one letter for its digits, two letters for at least two digits. */
function plainAndPadded(part: (time: CivilTime) => number): Readonly<Record<number, Form>> {
  return { 1: (time) => String(part(time)), 2: (time) => padded(part(time), 2) };
}

/** For each letter, its forms by the number of repetitions, and go-cty's error text for any other number of repetitions. */
const verbs: Readonly<Record<string, { readonly forms: Readonly<Record<number, Form>>; readonly allowed: string }>> = {
  Y: {
    forms: { 2: ({ year }) => padded(year % 100, 2), 4: ({ year }) => padded(year, 4) },
    allowed: 'year must either be "YY" or "YYYY"',
  },
  M: {
    forms: {
      ...plainAndPadded(({ month }) => month),
      3: ({ month }) => monthNames[month - 1]!.slice(0, 3),
      4: ({ month }) => monthNames[month - 1]!,
    },
    allowed: 'month must be "M", "MM", "MMM", or "MMMM"',
  },
  D: { forms: plainAndPadded(({ day }) => day), allowed: 'day of month must either be "D" or "DD"' },
  E: { forms: { 3: (time) => dayOfWeek(time).slice(0, 3), 4: dayOfWeek }, allowed: 'day of week must either be "EEE" or "EEEE"' },
  h: { forms: plainAndPadded(({ hour }) => hour), allowed: '24-hour must either be "h" or "hh"' },
  H: { forms: plainAndPadded(({ hour }) => hour % 12 || 12), allowed: '12-hour must either be "H" or "HH"' },
  A: { forms: { 2: ({ hour }) => (hour < 12 ? "AM" : "PM") }, allowed: 'must be "AA"' },
  a: { forms: { 2: ({ hour }) => (hour < 12 ? "am" : "pm") }, allowed: 'must be "aa"' },
  m: { forms: plainAndPadded(({ minute }) => minute), allowed: 'minute must either be "m" or "mm"' },
  s: { forms: plainAndPadded(({ second }) => second), allowed: 'second must either be "s" or "ss"' },
  Z: {
    forms: {
      1: (time) => (time.offsetSeconds === 0 ? "Z" : offsetText(time, ":")),
      3: (time) => (time.offsetSeconds === 0 ? "UTC" : offsetText(time, "")),
      4: (time) => offsetText(time, ""),
      5: (time) => offsetText(time, ":"),
    },
    allowed: "timezone must be Z, ZZZZ, or ZZZZZ",
  },
};

/**
 * Adds a duration, such as `1h30m`, to an RFC 3339 timestamp.
 *
 * @example
 * timeAddFunc.call([of(string, "2020-02-29T12:34:56Z"), of(string, "36h")])
 * // => cty.StringVal("2020-03-02T00:34:56Z")
 *
 * @see go-cty stdlib.TimeAddFunc
 */
export const timeAddFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Adds a duration to an RFC 3339 timestamp.",
  params: [
    { name: "timestamp", type: string },
    { name: "duration", type: string },
  ],
  type: string,
  impl: ([timestamp, duration]) => {
    const time = parseTimestamp(stringOf(timestamp));
    return stringValue(formatTimestamp(addNanoseconds(time, parseDuration(stringOf(duration)))));
  },
});
