// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { emptyTable } from "../hpack/header-encoder.ts";
import { clientPreface, defaultMaxFrameSize, flag, frameHeaderLength, frameType, writeFrameHeader } from "./frame.ts";
import { SocketWriter } from "./socket-writer.ts";

/** Writes frames. Callers decide on the contents of the frames, and when to send them. */
export class FrameWriter {
  readonly #out: SocketWriter;
  /** Maximum size of a frame that the peer accepts, in bytes. */
  maxFrameSize: number = defaultMaxFrameSize;
  #tableSize: "default" | "announce-empty" | "empty" = "default";

  constructor(socket: Socket) {
    this.#out = new SocketWriter(socket);
  }

  /** Number of bytes written and not yet sent by the system. */
  get backlog(): number {
    return this.#out.backlog;
  }

  /** Whether streams must wait for the socket's `drain` before they send more. */
  get blocked(): boolean {
    return this.#out.blocked;
  }

  /** Hands everything written so far to the socket. */
  flush(): void {
    this.#out.flush();
  }

  /** Announces, before the next header block, an empty header table: this endpoint uses none. Required once, when the peer shrinks it. */
  announceEmptyTable(): void {
    if (this.#tableSize === "default") this.#tableSize = "announce-empty";
  }

  /** Whether {@link message} can write the given headers, data and trailers: each of them must fit into one frame. */
  fitsFrames(head: Buffer | undefined, size: number, trailers: Buffer | undefined): boolean {
    const max = this.maxFrameSize;
    return (
      size <= max &&
      (head === undefined || head.length <= max) &&
      (trailers === undefined || trailers.length <= max) &&
      this.#tableSize !== "announce-empty"
    );
  }

  /** Writes the given headers, data and trailers, a frame each, into one buffer. Requires {@link fitsFrames}. */
  message(streamId: number, head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): void {
    const length =
      (head === undefined ? 0 : frameHeaderLength + head.length) +
      (data === undefined ? 0 : frameHeaderLength + data.length) +
      (trailers === undefined ? 0 : frameHeaderLength + trailers.length);
    let at = this.#out.reserve(length);
    const { slab } = this.#out;
    if (head !== undefined) {
      writeFrameHeader(slab, at, head.length, frameType.headers, flag.endHeaders | endFlag(last && data === undefined), streamId);
      slab.set(head, at + frameHeaderLength);
      at += frameHeaderLength + head.length;
    }
    if (data !== undefined) {
      writeFrameHeader(slab, at, data.length, frameType.data, endFlag(last), streamId);
      slab.set(data, at + frameHeaderLength);
      at += frameHeaderLength + data.length;
    }
    if (trailers !== undefined) {
      writeFrameHeader(slab, at, trailers.length, frameType.headers, flag.endHeaders | flag.endStream, streamId);
      slab.set(trailers, at + frameHeaderLength);
    }
  }

  /** Writes a header block of any length, in as many frames as it needs. */
  headers(streamId: number, block: Buffer, last: boolean): void {
    let rest = block;
    if (this.#tableSize === "announce-empty") {
      this.#tableSize = "empty";
      rest = Buffer.concat([emptyTable, block]);
    }
    for (let type: number = frameType.headers; ; type = frameType.continuation) {
      const size = Math.min(rest.length, this.maxFrameSize);
      const flags = (size === rest.length ? flag.endHeaders : 0) | endFlag(last && type === frameType.headers);
      this.#writeFrame(type, flags, streamId, rest.subarray(0, size));
      if (size === rest.length) return;
      rest = rest.subarray(size);
    }
  }

  /** Writes a DATA frame without copying the bytes: they must not change afterwards. */
  data(streamId: number, bytes: Uint8Array, last: boolean): void {
    const at = this.#out.reserve(frameHeaderLength);
    writeFrameHeader(this.#out.slab, at, bytes.length, frameType.data, endFlag(last), streamId);
    this.#out.append(bytes);
  }

  /** Writes WINDOW_UPDATE. */
  windowUpdate(streamId: number, increment: number): void {
    this.#writeNumber(frameType.windowUpdate, streamId, increment);
  }

  /** Writes RST_STREAM. */
  reset(streamId: number, code: number): void {
    this.#writeNumber(frameType.rstStream, streamId, code);
  }

  /** Writes the connection preface of a client. */
  preface(): void {
    this.#out.slab.set(clientPreface, this.#out.reserve(clientPreface.length));
  }

  /** Writes SETTINGS. */
  settings(entries: readonly (readonly [setting: number, value: number])[]): void {
    const payload = Buffer.alloc(entries.length * 6);
    for (const [index, [setting, value]] of entries.entries()) {
      payload.writeUInt16BE(setting, index * 6);
      payload.writeUInt32BE(value, index * 6 + 2);
    }
    this.#writeFrame(frameType.settings, 0, 0, payload);
  }

  /** Writes the acknowledgement of the peer's SETTINGS. */
  settingsAck(): void {
    this.#writeFrame(frameType.settings, flag.ack, 0, emptyPayload);
  }

  /** Writes the acknowledgement of the peer's PING, with the data of that PING. */
  pingAck(opaque: Buffer): void {
    this.#writeFrame(frameType.ping, flag.ack, 0, opaque);
  }

  /** Writes GOAWAY, with a text for the peer's log. */
  goaway(lastStreamId: number, code: number, text: string): void {
    const payload = Buffer.alloc(8 + text.length);
    payload.writeUInt32BE(lastStreamId, 0);
    payload.writeUInt32BE(code, 4);
    payload.write(text, 8, "latin1");
    this.#writeFrame(frameType.goaway, 0, 0, payload);
  }

  #writeNumber(type: number, streamId: number, value: number): void {
    const at = this.#out.reserve(frameHeaderLength + 4);
    writeFrameHeader(this.#out.slab, at, 4, type, 0, streamId);
    this.#out.slab.writeUInt32BE(value, at + frameHeaderLength);
  }

  #writeFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    const at = this.#out.reserve(frameHeaderLength + payload.length);
    writeFrameHeader(this.#out.slab, at, payload.length, type, flags, streamId);
    this.#out.slab.set(payload, at + frameHeaderLength);
  }
}

const emptyPayload = Buffer.alloc(0);

function endFlag(last: boolean): number {
  return last ? flag.endStream : 0;
}
