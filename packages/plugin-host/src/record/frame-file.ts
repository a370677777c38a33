// SPDX-License-Identifier: Apache-2.0
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Packr } from "msgpackr/pack";
import { Unpackr } from "msgpackr/unpack";
import { PluginHostError } from "../error.ts";

// docs/recordings.md describes the formats.

/** A file format: its first eight bytes, and the version in its first frame, `["header", version, …]`. */
export interface FileKind {
  readonly magic: string;
  /** Version of the format. A file of another version is refused. */
  readonly version: number;
}

/** One entry of a file. Its first element is its kind. */
export type FileFrame = readonly [kind: string, ...unknown[]];

/** Length and checksum, four bytes each, big-endian. */
const frameHeaderBytes = 8;

// Without these options msgpackr writes a record format of its own, and renames keys such as `__proto__`.
const settings = { useRecords: false, variableMapSize: true, mapsAsObjects: false } as const;
const packr = new Packr(settings);
const unpackr = new Unpackr(settings);

/** A file of frames that is being written. Written frames are kept even if this process is killed. */
export class FrameWriter<Frame extends FileFrame> {
  readonly path: string;
  #descriptor: number | undefined;
  #failure: PluginHostError | undefined;

  /** @throws PluginHostError `RECORDING_FAILED` */
  constructor({ magic }: FileKind, path: string, overwrite: boolean) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, overwrite ? "w" : "wx", 0o600);
    } catch (cause) {
      const exists = (cause as NodeJS.ErrnoException).code === "EEXIST";
      const problem = exists ? "exists already: choose another file, or set overwrite" : `cannot be written: ${(cause as Error).message}`;
      throw new PluginHostError("RECORDING_FAILED", `the recording ${path} ${problem}`, { cause });
    }
    this.#writeAll(Buffer.from(magic));
    if (this.#failure === undefined) return;
    this.close();
    throw this.#failure;
  }

  /** Writes one frame immediately. After a failure {@link assertIntact} throws. */
  write(frame: Frame): void {
    if (this.#failure !== undefined || this.#descriptor === undefined) return;
    const payload = packr.pack(frame);
    const header = Buffer.alloc(frameHeaderBytes);
    header.writeUInt32BE(payload.length, 0);
    header.writeUInt32BE(crc32(payload), 4);
    this.#writeAll(Buffer.concat([header, payload]));
  }

  /** Stores a failure, which the next call reports. */
  fail(cause: unknown): void {
    this.#failure ??= new PluginHostError(
      "RECORDING_FAILED",
      `the recording ${this.path} cannot be continued: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }

  /** Checks that every frame was written. @throws PluginHostError `RECORDING_FAILED` */
  assertIntact(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    try {
      fsyncSync(this.#descriptor);
    } catch (error) {
      this.fail(error);
    }
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #writeAll(bytes: Uint8Array): void {
    try {
      for (let start = 0; start < bytes.length;) start += writeSync(this.#descriptor!, bytes, start);
    } catch (error) {
      this.fail(error);
    }
  }
}

/** The contents of a file. */
export interface FileContents<Frame extends FileFrame> {
  readonly frames: readonly Frame[];
  /** Position of a truncated last frame, in bytes from the start; absent if the last frame is complete. */
  readonly truncatedAt?: number;
}

/**
 * Reads all complete frames of a file.
 *
 * @throws PluginHostError `RECORDING_MALFORMED` for a file that is not a recording, or is damaged before its end
 */
export function readFrames<Frame extends FileFrame>(kind: FileKind, path: string): FileContents<Frame> {
  const magic = Buffer.from(kind.magic);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new PluginHostError("RECORDING_MALFORMED", `the recording ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (!bytes.subarray(0, magic.length).equals(magic.subarray(0, bytes.length)) || bytes.length === 0)
    throw malformed(path, "does not begin with the bytes of this format");
  const frames: Frame[] = [];
  let position = magic.length;
  if (bytes.length < position) return { frames, truncatedAt: 0 };
  while (position < bytes.length) {
    const start = position + frameHeaderBytes;
    const end = start <= bytes.length ? start + bytes.readUInt32BE(position) : Infinity;
    if (end > bytes.length) return { frames, truncatedAt: position };
    const payload = bytes.subarray(start, end);
    if (crc32(payload) !== bytes.readUInt32BE(position + 4)) {
      // After a crash of the machine, a file may have the length of data that was never written.
      if (end === bytes.length) return { frames, truncatedAt: position };
      throw malformed(path, `is damaged at byte ${position}, after ${frames.length} frames`);
    }
    frames.push(frameOf(path, payload, position) as Frame);
    if (frames.length === 1) assertHeader(kind, path, frames[0]!);
    position = end;
  }
  return { frames };
}

function frameOf(path: string, payload: Uint8Array, position: number): FileFrame {
  let frame: unknown;
  try {
    frame = unpackr.unpack(payload);
  } catch (cause) {
    throw malformed(path, `has an invalid frame at byte ${position}`, cause);
  }
  if (!Array.isArray(frame) || typeof frame[0] !== "string") throw malformed(path, `has an invalid frame at byte ${position}`);
  return frame as unknown as FileFrame;
}

function assertHeader(kind: FileKind, path: string, [name, version]: FileFrame): void {
  if (name === "header" && version === kind.version) return;
  const problem =
    name === "header" ? `has version ${String(version)} of the format, and only ${kind.version} is supported` : "has no header";
  throw malformed(path, problem);
}

function malformed(path: string, problem: string, cause?: unknown): PluginHostError {
  return new PluginHostError("RECORDING_MALFORMED", `the recording ${path} ${problem}`, cause === undefined ? {} : { cause });
}
