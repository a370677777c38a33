// SPDX-License-Identifier: Apache-2.0

/** Milliseconds since some moment, never fewer than before. `performance` would load a part of Node that little else needs. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
