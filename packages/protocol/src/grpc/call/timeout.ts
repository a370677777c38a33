// SPDX-License-Identifier: Apache-2.0

/** Length of each unit, in milliseconds. */
const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Longest time of a Node timer, in milliseconds: almost 25 days. */
const longestTimer = 0x7fff_ffff;

/** Parses `grpc-timeout` to milliseconds. Returns undefined when it is invalid. */
export function parseTimeout(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * units[unit]!;
}

/** Formats `grpc-timeout`, which has at most eight digits. */
export function formatTimeout(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  return whole < 1e8 ? `${whole}m` : `${Math.min(Math.ceil(whole / 1000), 99_999_999)}S`;
}

/** Starts a timer for a deadline. Returns undefined when the deadline is later than a timer can wait. */
export function startDeadline(ms: number, onExpired: () => void): NodeJS.Timeout | undefined {
  return ms > longestTimer ? undefined : setTimeout(onExpired, Math.max(0, ms));
}
