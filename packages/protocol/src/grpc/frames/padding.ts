// SPDX-License-Identifier: Apache-2.0
import { errorCode } from "./frame.ts";
import { Violation } from "./violation.ts";

/**
 * Range of a padded frame's content: after the pad length, before the padding.
 *
 * @throws Violation `PROTOCOL_ERROR` when the padding is longer than the frame.
 */
export function unpadded(bytes: Buffer, start: number, end: number): [from: number, to: number] {
  const from = start + 1;
  const to = end - (bytes[start] ?? 0);
  if (from > end || to < from) throw new Violation(errorCode.protocolError, "the padding is longer than its frame");
  return [from, to];
}
