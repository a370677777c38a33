// SPDX-License-Identifier: Apache-2.0

/** Node's Buffer with the internal methods that `toString` and `write` call. Calling them directly is several times faster for short strings. */
export interface FastBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  utf8Write(text: string, offset: number, length: number): number;
}
