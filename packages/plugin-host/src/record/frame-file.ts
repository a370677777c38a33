// SPDX-License-Identifier: Apache-2.0
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Packr } from "msgpackr/pack";
import { Unpackr } from "msgpackr/unpack";
import { PluginHostError } from "../error.ts";

// docs/recordings.md describes the formats.

/** A kind of file: what its first eight bytes are, and the version in its first frame, `["header", version, …]`. */
export interface FileKind {
  readonly magic: string;
  /** Of the format; a file of another version is refused. */
  readonly version: number;
}

/** One entry of a file: its first element says what it is. */
export type FileFrame = readonly [kind: string, ...unknown[]];

/** Length and checksum, four bytes each, big-endian. */
const frameHeaderBytes = 8;

// Without these options msgpackr writes records of its own making, and renames keys such as `__proto__`.
const settings = { useRecords: false, variableMapSize: true, mapsAsObjects: false } as const;
const packr = new Packr(settings);
const unpackr = new Unpackr(settings);

/** A file of frames that is being written. What was written survives this process, however it ends. */
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
      const what = exists ? "is there already: name another file, or set overwrite" : `cannot be written: ${(cause as Error).message}`;
      throw new PluginHostError("RECORDING_FAILED", `the recording ${path} ${what}`, { cause });
    }
    this.#writeAll(Buffer.from(magic));
    if (this.#failure === undefined) return;
    this.close();
    throw this.#failure;
  }

  /** Writes one frame at once. Where that is not possible, {@link assertIntact} says so from then on. */
  write(frame: Frame): void {
    if (this.#failure !== undefined || this.#descriptor === undefined) return;
    const payload = packr.pack(frame);
    const header = Buffer.alloc(frameHeaderBytes);
    header.writeUInt32BE(payload.length, 0);
    header.writeUInt32BE(crc32(payload), 4);
    this.#writeAll(Buffer.concat([header, payload]));
  }

  /** What cannot be recorded must not go on unnoticed. */
  fail(cause: unknown): void {
    this.#failure ??= new PluginHostError(
      "RECORDING_FAILED",
      `the recording ${this.path} cannot be continued: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }

  /** @throws PluginHostError `RECORDING_FAILED` where something could not be written. */
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

/** Everything that a file holds. */
export interface FileContents<Frame extends FileFrame> {
  readonly frames: readonly Frame[];
  /** Where it breaks off, in bytes from its start; absent where the last frame is whole. */
  readonly truncatedAt?: number;
}

/** @throws PluginHostError `RECORDING_MALFORMED` for a file that is no recording, or is damaged before its end. */
export function readFrames<Frame extends FileFrame>(kind: FileKind, path: string): FileContents<Frame> {
  const magic = Buffer.from(kind.magic);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new PluginHostError("RECORDING_MALFORMED", `the recording ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (!bytes.subarray(0, magic.length).equals(magic.subarray(0, bytes.length)) || bytes.length === 0)
    throw malformed(path, "is none: its first bytes are others");
  const frames: Frame[] = [];
  let position = magic.length;
  if (bytes.length < position) return { frames, truncatedAt: 0 };
  while (position < bytes.length) {
    const start = position + frameHeaderBytes;
    const end = start <= bytes.length ? start + bytes.readUInt32BE(position) : Infinity;
    if (end > bytes.length) return { frames, truncatedAt: position };
    const payload = bytes.subarray(start, end);
    if (crc32(payload) !== bytes.readUInt32BE(position + 4)) {
      // A machine that went down may have kept the length of what it did not write.
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
    throw malformed(path, `holds at byte ${position} what is no frame`, cause);
  }
  if (!Array.isArray(frame) || typeof frame[0] !== "string") throw malformed(path, `holds at byte ${position} what is no frame`);
  return frame as unknown as FileFrame;
}

function assertHeader(kind: FileKind, path: string, [name, version]: FileFrame): void {
  if (name === "header" && version === kind.version) return;
  const what = name === "header" ? `is of version ${String(version)} of the format, and ${kind.version} is understood` : "has no header";
  throw malformed(path, what);
}

function malformed(path: string, what: string, cause?: unknown): PluginHostError {
  return new PluginHostError("RECORDING_MALFORMED", `the recording ${path} ${what}`, cause === undefined ? {} : { cause });
}
