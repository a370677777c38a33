// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { formatDateFunc, timeAddFunc } from "./datetime.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [
    formatDateFunc,
    [of(string, "YY YYYY M MM MMM MMMM D DD EEE EEEE"), of(string, "2006-01-02T15:04:05-07:30")],
    'StringVal("06 2006 1 01 Jan January 2 02 Mon Monday")',
  ],
  [
    formatDateFunc,
    [of(string, "h hh H HH AA aa m mm s ss Z ZZZ ZZZZ ZZZZZ"), of(string, "2006-01-02T00:04:05.999-07:30")],
    'StringVal("0 00 12 12 AM am 4 04 5 05 -07:30 -0730 -0730 -07:30")',
  ],
  [formatDateFunc, [of(string, "h H AA Z ZZZ ZZZZ"), of(string, "2006-01-02T12:04:05+00:00")], 'StringVal("12 12 PM Z UTC +0000")'],
  [formatDateFunc, [of(string, "'it''s' D '' é日 'MM'"), of(string, "2024-02-29T12:04:05Z")], "StringVal(\"it's 29 ' é日 MM\")"],
  [formatDateFunc, [of(string, "EEEE YYYY"), of(string, "0000-03-01T00:00:00Z")], 'StringVal("Wednesday 0000")'],
  [formatDateFunc, [of(string, "'open"), of(string, "2006-01-02T15:04:05Z")], "FUNCTION of 0: unterminated literal '"],
  [
    formatDateFunc,
    [of(string, "YYY"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "YYY": year must either be "YY" or "YYYY"',
  ],
  [
    formatDateFunc,
    [of(string, "MMMMM"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "MMMMM": month must be "M", "MM", "MMM", or "MMMM"',
  ],
  [
    formatDateFunc,
    [of(string, "DDD"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "DDD": day of month must either be "D" or "DD"',
  ],
  [
    formatDateFunc,
    [of(string, "E"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "E": day of week must either be "EEE" or "EEEE"',
  ],
  [
    formatDateFunc,
    [of(string, "hhh"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "hhh": 24-hour must either be "h" or "hh"',
  ],
  [
    formatDateFunc,
    [of(string, "HHH"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "HHH": 12-hour must either be "H" or "HH"',
  ],
  [formatDateFunc, [of(string, "A"), of(string, "2006-01-02T15:04:05Z")], 'FUNCTION of 0: invalid date format verb "A": must be "AA"'],
  [
    formatDateFunc,
    [of(string, "mmm"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "mmm": minute must either be "m" or "mm"',
  ],
  [
    formatDateFunc,
    [of(string, "sss"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "sss": second must either be "s" or "ss"',
  ],
  [
    formatDateFunc,
    [of(string, "ZZ"), of(string, "2006-01-02T15:04:05Z")],
    'FUNCTION of 0: invalid date format verb "ZZ": timezone must be Z, ZZZZ, or ZZZZZ',
  ],
  [formatDateFunc, [of(string, "q"), of(string, "2006-01-02T15:04:05Z")], 'FUNCTION of 0: invalid date format verb "q"'],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: end of string where "-" is expected',
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-13-02T15:04:05Z")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: cannot use "-02T15:04:05Z" as month',
  ],
  [formatDateFunc, [of(string, "Y"), of(string, "2006-02-30T15:04:05Z")], "FUNCTION of 1: not a valid RFC3339 timestamp: day out of range"],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02 15:04:05Z")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: missing required time introducer 'T'",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T24:04:05Z")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: hour must be between 0 and 23 inclusive",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T5:04:05Z")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: hour must have exactly two digits",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:60:05Z")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: minute must have exactly two digits",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:4:05Z")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: minute must have exactly two digits",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:04:05,5Z")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: cannot use "," as timestamp segment',
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:04:05")],
    "FUNCTION of 1: not a valid RFC3339 timestamp: end of string before UTC offset",
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:04:05+24:00")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: cannot use "+24:00" as UTC offset',
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:04:05+01:60")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: cannot use "+01:60" as UTC offset',
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006-01-02T15:04:05Z and more")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: cannot use " and more" as timestamp segment',
  ],
  [
    formatDateFunc,
    [of(string, "Y"), of(string, "2006/01/02")],
    'FUNCTION of 1: not a valid RFC3339 timestamp: found "/01/02" where "-" is expected',
  ],
  [formatDateFunc, [of(string, "Y"), of(string, "")], "FUNCTION of 1: not a valid RFC3339 timestamp: end of string before year"],
  [timeAddFunc, [of(string, "2020-02-28T23:59:59.75+02:00"), of(string, "24h0.25s")], 'StringVal("2020-03-01T00:00:00+02:00")'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "-1ns")], 'StringVal("2019-12-31T23:59:59Z")'],
  [timeAddFunc, [of(string, "9999-12-31T23:59:59Z"), of(string, "1s")], 'StringVal("10000-01-01T00:00:00Z")'],
  [timeAddFunc, [of(string, "0000-01-01T00:00:00Z"), of(string, "-1s")], 'StringVal("-0001-12-31T23:59:59Z")'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "1µs2μs3us")], 'StringVal("2020-01-01T00:00:00Z")'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "+0")], 'StringVal("2020-01-01T00:00:00Z")'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "1d")], 'FUNCTION: time: unknown unit "d" in duration "1d"'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "5")], 'FUNCTION: time: missing unit in duration "5"'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "2562048h")], 'FUNCTION: time: invalid duration "2562048h"'],
  [timeAddFunc, [of(string, "2020-01-01T00:00:00Z"), of(string, "é")], 'FUNCTION: time: invalid duration "\\xc3\\xa9"'],
  [timeAddFunc, [of(string, "yesterday"), of(string, "1h")], 'FUNCTION: not a valid RFC3339 timestamp: cannot use "yesterday" as year'],
  [timeAddFunc, [unknown(string), of(string, "1h")], "UnknownVal(String)"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
