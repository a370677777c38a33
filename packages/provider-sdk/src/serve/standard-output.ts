// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { Writable } from "node:stream";
import { maskedBytes, whenMaskable } from "./output-mask.ts";

/** Maximum size of the buffered output, in bytes; it may briefly reach twice this size. */
const keptBytes = 1024 * 1024;

/** The captured standard output of the provider. */
export interface StandardOutput {
  /** Passes the buffered and all future output to `take`. */
  sendTo(take: (data: Uint8Array) => void): void;
}

/**
 * Redirects `console.log` and `process.stdout` from the real standard output into a buffer.
 *
 * A host reads one line from standard output and discards the rest; it reads further output through the stdio service.
 * Until {@link StandardOutput.sendTo} is called, the newest 1 MiB is buffered.
 */
export function captureStandardOutput(): StandardOutput {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let take: ((data: Uint8Array) => void) | undefined;
  // Sends all output of one event loop turn as one message: one message per line would be expensive.
  const flush = (): void => {
    if (take === undefined || kept.length === 0) return;
    const printed = Buffer.concat(kept);
    kept = [];
    bytes = 0;
    take(maskedBytes(printed));
  };
  const keep = (data: Uint8Array): void => {
    if (kept.length === 0) setImmediate(() => whenMaskable(flush));
    kept.push(data);
    bytes += data.byteLength;
    if (bytes <= 2 * keptBytes) return;
    kept = [Buffer.concat(kept).subarray(-keptBytes)];
    bytes = keptBytes;
  };
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      keep(chunk);
      done();
    },
  });
  // `console` reads `process.stdout` at its first use.
  Object.defineProperty(process, "stdout", { value: stream, configurable: true, enumerable: true, writable: true });
  return {
    sendTo(next) {
      take = next;
      if (kept.length > 0) flush();
    },
  };
}
