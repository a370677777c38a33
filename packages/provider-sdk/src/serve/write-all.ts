// SPDX-License-Identifier: Apache-2.0
import { writeSync } from "node:fs";

/** Number of write attempts to a full pipe before its reader counts as gone. */
const attempts = 2_000;

/**
 * Writes text to a file descriptor synchronously, so that no text is lost when the process exits.
 *
 * Node's streams may lose queued data at exit. If the reader has closed the pipe, or reads nothing for two seconds, the remaining
 * text is dropped: output must neither crash nor block a provider.
 *
 * @returns why the text was dropped; undefined if all of it was written.
 */
export function writeAll(fileDescriptor: number, text: string): Error | undefined {
  let rest = new TextEncoder().encode(text);
  for (let attempt = 0; rest.length > 0 && attempt < attempts;) {
    try {
      rest = rest.subarray(writeSync(fileDescriptor, rest));
      attempt = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return error as Error;
      // The pipe is full and non-blocking: wait one millisecond for its reader.
      attempt += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return rest.length > 0 ? new Error("its reader has read nothing for two seconds") : undefined;
}
