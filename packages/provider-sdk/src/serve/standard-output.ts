// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { Writable } from "node:stream";

/** How much printed text is kept until somebody takes it, in bytes; twice that for a moment. */
const keptBytes = 1024 * 1024;

/** What the provider prints, on its way to the host. */
export interface StandardOutput {
  /** Hands what has been printed, and what will be, to `take`. */
  sendTo(take: (data: Uint8Array) => void): void;
}

/**
 * Keeps everything printed from now on, by `console.log` or `process.stdout`, away from the real standard output.
 *
 * A host reads one line there and discards the rest; what it shows in its log comes through a service of its own.
 * Until {@link StandardOutput.sendTo}, up to 1 MiB is kept, the newest.
 */
export function captureStandardOutput(): StandardOutput {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let take: ((data: Uint8Array) => void) | undefined;
  // What one turn of the event loop prints goes out as one: a message for each line would cost more than the line.
  const flush = (): void => {
    if (take === undefined) return;
    const printed = Buffer.concat(kept);
    kept = [];
    bytes = 0;
    take(printed);
  };
  const keep = (data: Uint8Array): void => {
    if (kept.length === 0) setImmediate(flush);
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
  // `console` asks for `process.stdout` at its first use.
  Object.defineProperty(process, "stdout", { value: stream, configurable: true, enumerable: true, writable: true });
  return {
    sendTo(next) {
      take = next;
      if (kept.length > 0) flush();
    },
  };
}
