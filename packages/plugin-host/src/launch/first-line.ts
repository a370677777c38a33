// SPDX-License-Identifier: Apache-2.0
import type { Readable } from "node:stream";

/** Go's hosts read no longer line either. */
const longestLine = 64 * 1024;

const newline = 10;

/** What came of waiting for a line. */
export type FirstLine =
  | { readonly kind: "line"; readonly line: string; /** What came with it, after its end. */ readonly rest: string }
  /** The output ended, or was closed, without any. */
  | { readonly kind: "end" }
  | { readonly kind: "oversize"; readonly start: string };

/**
 * Waits for the first line of an output, then leaves the output flowing. A last line needs no end. Ends when the output does,
 * so whoever waits longer than the writer lives must destroy it.
 */
export function readFirstLine(output: Readable): Promise<FirstLine> {
  return new Promise((resolve) => {
    let read: Buffer = Buffer.alloc(0);
    const settle = (result: FirstLine): void => {
      output.off("data", add).off("close", ended).off("end", ended);
      resolve(result);
    };
    const add = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(newline);
      if (end >= longestLine || (end < 0 && read.length >= longestLine)) settle({ kind: "oversize", start: read.toString("utf8", 0, 200) });
      else if (end >= 0) settle({ kind: "line", line: read.toString("utf8", 0, end), rest: read.toString("utf8", end + 1) });
    };
    const ended = (): void => settle(read.length === 0 ? { kind: "end" } : { kind: "line", line: read.toString("utf8"), rest: "" });
    output.on("data", add).once("end", ended).once("close", ended);
  });
}
