// SPDX-License-Identifier: Apache-2.0
import { writeSync } from "node:fs";

/** How often a full pipe is tried again before its reader counts as gone. */
const attempts = 2_000;

/**
 * Writes text to a file descriptor before it returns, whatever ends the process next.
 *
 * Node's own streams may lose what is queued when the process exits. A reader that has gone away or that reads nothing for
 * two seconds loses the rest: a provider must not die, or stand still for ever, of what it has to say.
 */
export function writeAll(fileDescriptor: number, text: string): void {
  let rest = new TextEncoder().encode(text);
  for (let attempt = 0; rest.length > 0 && attempt < attempts;) {
    try {
      rest = rest.subarray(writeSync(fileDescriptor, rest));
      attempt = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      // The pipe is full and non-blocking: give its reader a millisecond.
      attempt += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
