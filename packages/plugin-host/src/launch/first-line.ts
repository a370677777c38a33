// SPDX-License-Identifier: Apache-2.0
import type { Readable } from "node:stream";

/** Maximum length of the first line in bytes, as in Go's hosts. */
const longestLine = 64 * 1024;

const newline = 10;

/** The result of reading the first line. */
export type FirstLine =
  | { readonly kind: "line"; readonly line: string; /** Text after the line in the same chunk. */ readonly rest: string }
  /** The output ended, or was closed, without a line. */
  | { readonly kind: "end" }
  | { readonly kind: "oversize"; readonly start: string };

/**
 * Reads the first line of an output, and leaves the output flowing. The last line of an output needs no line end. Resolves at the latest
 * when the output ends or is destroyed.
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
