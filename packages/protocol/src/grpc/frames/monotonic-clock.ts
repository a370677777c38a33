// SPDX-License-Identifier: Apache-2.0

/**
 * Returns the milliseconds since an arbitrary moment. Never decreases. Does not use `performance`, which loads another part of Node at
 * start-up.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
