// SPDX-License-Identifier: Apache-2.0

/** A moment, and how a clock some way off UTC shows it. Years go by the Gregorian calendar, also before there was one. */
export interface CivilTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** How far the clock is ahead of UTC. */
  readonly offsetSeconds: number;
}

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

export const dayNames: readonly string[] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const secondsPerDay = 86400;

/** Date itself takes years below 100 for those of the twentieth century. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1000;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function dayOfWeek({ year, month, day }: CivilTime): string {
  const days = utc(year, month, day) / secondsPerDay;
  // The first day of 1970 was a Thursday.
  return dayNames[(((days + 4) % 7) + 7) % 7]!;
}

/** The time so many nanoseconds later, on the same clock. */
export function addNanoseconds(time: CivilTime, nanoseconds: bigint): CivilTime {
  const local = utc(time.year, time.month, time.day) + time.hour * 3600 + time.minute * 60 + time.second;
  const total = BigInt(local) * 1_000_000_000n + BigInt(time.nanosecond) + nanoseconds;
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

/** A number with zeros in front. */
export function padded(number: number, digits: number): string {
  return number < 0 ? `-${String(-number).padStart(digits, "0")}` : String(number).padStart(digits, "0");
}

/** The clock's distance from UTC: `+05:30`. */
export function offsetText({ offsetSeconds }: CivilTime, separator: ":" | ""): string {
  const minutes = Math.abs(offsetSeconds) / 60;
  return `${offsetSeconds < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`;
}

/** The time in the notation of RFC 3339, without fractions of a second. */
export function formatTimestamp(time: CivilTime): string {
  const date = `${padded(time.year, 4)}-${padded(time.month, 2)}-${padded(time.day, 2)}`;
  const clock = `${padded(time.hour, 2)}:${padded(time.minute, 2)}:${padded(time.second, 2)}`;
  return `${date}T${clock}${time.offsetSeconds === 0 ? "Z" : offsetText(time, ":")}`;
}
