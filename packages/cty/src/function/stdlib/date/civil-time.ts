// SPDX-License-Identifier: Apache-2.0

/** A date and time of day at an offset from UTC, in the proleptic Gregorian calendar. */
export interface CivilTime {
  readonly year: number;
  /** Month number, from 1 for January. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** Offset from UTC in seconds; positive east of Greenwich. */
  readonly offsetSeconds: number;
}

/** English names of the months, from January. */
export const monthNames: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** English names of the days of the week, from Sunday. */
export const dayNames: readonly string[] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const secondsPerDay = 86400;

/** Seconds from the start of 1970 to a day. `Date.UTC` is not used: it reads years below 100 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1000;
}

/** Returns the number of days of a month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Returns the day of the week of a date, 0 for Sunday. */
export function dayOfWeek({ year, month, day }: CivilTime): string {
  const days = utc(year, month, day) / secondsPerDay;
  // The first day of 1970 was a Thursday.
  return dayNames[(((days + 4) % 7) + 7) % 7]!;
}

/** Nanoseconds from the start of 1970 to the date and time of day, with the offset ignored. */
function localNanoseconds(time: CivilTime): bigint {
  const seconds = utc(time.year, time.month, time.day) + time.hour * 3600 + time.minute * 60 + time.second;
  return BigInt(seconds) * 1_000_000_000n + BigInt(time.nanosecond);
}

/** Nanoseconds from the start of 1970 in UTC. */
export function unixNanoseconds(time: CivilTime): bigint {
  return localNanoseconds(time) - BigInt(time.offsetSeconds) * 1_000_000_000n;
}

/** The time after a number of nanoseconds, at the same offset from UTC. */
export function addNanoseconds(time: CivilTime, nanoseconds: bigint): CivilTime {
  const total = localNanoseconds(time) + nanoseconds;
  const nanosecond = Number(((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  const seconds = Number((total - BigInt(nanosecond)) / 1_000_000_000n);
  const date = new Date(seconds * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond,
    offsetSeconds: time.offsetSeconds,
  };
}

/** Formats a number with leading zeros, up to a minimum number of digits. */
export function padded(number: number, digits: number): string {
  return number < 0 ? `-${String(-number).padStart(digits, "0")}` : String(number).padStart(digits, "0");
}

/** The offset from UTC, such as `+05:30`. */
export function offsetText({ offsetSeconds }: CivilTime, separator: ":" | ""): string {
  const minutes = Math.abs(offsetSeconds) / 60;
  return `${offsetSeconds < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`;
}

/** The time in RFC 3339 format, without fractions of a second. */
export function formatTimestamp(time: CivilTime): string {
  const date = `${padded(time.year, 4)}-${padded(time.month, 2)}-${padded(time.day, 2)}`;
  const clock = `${padded(time.hour, 2)}:${padded(time.minute, 2)}:${padded(time.second, 2)}`;
  return `${date}T${clock}${time.offsetSeconds === 0 ? "Z" : offsetText(time, ":")}`;
}
