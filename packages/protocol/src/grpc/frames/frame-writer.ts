// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { emptyTable } from "../hpack/header-encoder.ts";
import { clientPreface, defaultMaxFrameSize, flag, frameHeaderLength, frameType, writeFrameHeader } from "./frame.ts";
import { SocketWriter } from "./socket-writer.ts";

/** Writes frames. What they may hold, and when, is for others to say. */
export class FrameWriter {
  readonly #out: SocketWriter;
  /** The largest frame the peer takes. */
  maxFrameSize: number = defaultMaxFrameSize;
  /** The peer has made the table of headers smaller, and must be told once that we know. */
  owesTableSize = false;

  constructor(socket: Socket) {
    this.#out = new SocketWriter(socket);
  }

  /** What has been written and not been taken, in bytes. */
  get backlog(): number {
    return this.#out.backlog;
  }

  /** Whether what can wait should, until the socket says `drain`. */
  get blocked(): boolean {
    return this.#out.blocked;
  }

  flush(): void {
    this.#out.flush();
  }

  /** Whether these fit into a frame each as they are. */
  takes(head: Buffer | undefined, size: number, trailers: Buffer | undefined): boolean {
    const max = this.maxFrameSize;
    return (
      size <= max && (head === undefined || head.length <= max) && (trailers === undefined || trailers.length <= max) && !this.owesTableSize
    );
  }

  /** Writes headers, data and trailers, each that is given, in one piece; only what {@link takes} has allowed. */
  call(streamId: number, head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): void {
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

  /** Writes a header block of any length. */
  headers(streamId: number, block: Buffer, last: boolean): void {
    let rest = block;
    if (this.owesTableSize) {
      this.owesTableSize = false;
      rest = Buffer.concat([emptyTable, block]);
    }
    for (let type: number = frameType.headers; ; type = frameType.continuation) {
      const size = Math.min(rest.length, this.maxFrameSize);
      const flags = (size === rest.length ? flag.endHeaders : 0) | endFlag(last && type === frameType.headers);
      this.#frame(type, flags, streamId, rest.subarray(0, size));
      if (size === rest.length) return;
      rest = rest.subarray(size);
    }
  }

  /** Writes a frame of data without a copy: it must stay as it is. */
  data(streamId: number, bytes: Uint8Array, last: boolean): void {
    const at = this.#out.reserve(frameHeaderLength);
    writeFrameHeader(this.#out.slab, at, bytes.length, frameType.data, endFlag(last), streamId);
    this.#out.append(bytes);
  }

  windowUpdate(streamId: number, increment: number): void {
    this.#number(frameType.windowUpdate, streamId, increment);
  }

  reset(streamId: number, code: number): void {
    this.#number(frameType.rstStream, streamId, code);
  }

  preface(): void {
    this.#out.slab.set(clientPreface, this.#out.reserve(clientPreface.length));
  }

  settings(entries: readonly (readonly [setting: number, value: number])[]): void {
    const payload = Buffer.alloc(entries.length * 6);
    for (const [index, [setting, value]] of entries.entries()) {
      payload.writeUInt16BE(setting, index * 6);
      payload.writeUInt32BE(value, index * 6 + 2);
    }
    this.#frame(frameType.settings, 0, 0, payload);
  }

  settingsAck(): void {
    this.#frame(frameType.settings, flag.ack, 0, nothing);
  }

  pingAck(opaque: Buffer): void {
    this.#frame(frameType.ping, flag.ack, 0, opaque);
  }

  goaway(lastStreamId: number, code: number, text: string): void {
    const payload = Buffer.alloc(8 + text.length);
    payload.writeUInt32BE(lastStreamId, 0);
    payload.writeUInt32BE(code, 4);
    payload.write(text, 8, "latin1");
    this.#frame(frameType.goaway, 0, 0, payload);
  }

  #number(type: number, streamId: number, value: number): void {
    const at = this.#out.reserve(frameHeaderLength + 4);
    writeFrameHeader(this.#out.slab, at, 4, type, 0, streamId);
    this.#out.slab.writeUInt32BE(value, at + frameHeaderLength);
  }

  #frame(type: number, flags: number, streamId: number, payload: Buffer): void {
    const at = this.#out.reserve(frameHeaderLength + payload.length);
    writeFrameHeader(this.#out.slab, at, payload.length, type, flags, streamId);
    this.#out.slab.set(payload, at + frameHeaderLength);
  }
}

const nothing = Buffer.alloc(0);

function endFlag(last: boolean): number {
  return last ? flag.endStream : 0;
}
