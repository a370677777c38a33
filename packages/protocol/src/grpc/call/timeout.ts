// SPDX-License-Identifier: Apache-2.0

/** Milliseconds of a unit. */
const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** The longest that Node's timers can wait, in milliseconds; almost 25 days. */
const longestTimer = 0x7fff_ffff;

/** Reads `grpc-timeout`, in milliseconds. Undefined for what is none. */
export function parseTimeout(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * units[unit]!;
}

/** Writes `grpc-timeout`; it has room for eight digits. */
export function formatTimeout(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  return whole < 1e8 ? `${whole}m` : `${Math.min(Math.ceil(whole / 1000), 99_999_999)}S`;
}

/** Calls back when the time is over, unless it is longer than any call. */
export function startDeadline(ms: number, passed: () => void): NodeJS.Timeout | undefined {
  return ms > longestTimer ? undefined : setTimeout(passed, Math.max(0, ms));
}
