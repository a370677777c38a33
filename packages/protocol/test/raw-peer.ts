// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { clientPreface, flag, frameHeaderLength, frameType, writeFrameHeader } from "../src/grpc/frames/frame.ts";
import { FrameReader } from "../src/grpc/frames/frame-reader.ts";
import { encodeHeaders } from "../src/grpc/hpack/header-encoder.ts";
import { HeaderDecoder } from "../src/grpc/hpack/header-decoder.ts";

export interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Encodes a frame, valid or not. */
export function frame(type: number, flags: number, streamId: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(frameHeaderLength + payload.length);
  writeFrameHeader(bytes, 0, payload.length, type, flags, streamId);
  bytes.set(payload, frameHeaderLength);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function settingsFrame(entries: readonly (readonly [number, number])[] = []): Buffer {
  const payload = entries.map(([key, value]) => Buffer.concat([Buffer.of(key >> 8, key), uint32(value)]));
  return frame(frameType.settings, 0, 0, Buffer.concat(payload));
}

export const requestFields: readonly string[] = [
  ":method",
  "POST",
  ":scheme",
  "http",
  ":path",
  "/tenon.protocol.test.Probe/Echo",
  ":authority",
  "localhost",
  "content-type",
  "application/grpc",
  "te",
  "trailers",
];

/** HEADERS of a call. */
export function requestFrame(streamId: number, flags: number = flag.endHeaders, fields: readonly string[] = requestFields): Buffer {
  return frame(frameType.headers, flags, streamId, encodeHeaders(fields));
}

/** DATA with an empty message; ends the request by default. */
export function emptyMessageFrame(streamId: number, flags: number = flag.endStream): Buffer {
  return frame(frameType.data, flags, streamId, Buffer.alloc(5));
}

/** A client or server that sends given frames, and records the frames that it receives. */
export class RawPeer {
  readonly socket: Socket;
  readonly frames: RawFrame[] = [];
  #changed = Promise.withResolvers<void>();
  #over = false;

  constructor(socket: Socket, role: "client" | "server") {
    this.socket = socket;
    const reader = new FrameReader(
      (type, flags, streamId, bytes, start, end) => {
        this.frames.push({ type, flags, streamId, payload: Buffer.from(bytes.subarray(start, end)) });
        this.#change();
      },
      { expectPreface: role === "server" },
    );
    socket.on("data", (chunk) => reader.push(chunk));
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#over = true;
      this.#change();
    });
  }

  /** Connects a client, and sends its connection preface. */
  static async connect(path: string, first: Uint8Array = settingsFrame()): Promise<RawPeer> {
    const socket = connect(path);
    await once(socket, "connect");
    const peer = new RawPeer(socket, "client");
    socket.write(Buffer.concat([clientPreface, first]));
    return peer;
  }

  send(...frames: readonly Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** Waits for the first frame that matches; undefined when the connection ends without one. */
  async find(test: (frame: RawFrame) => boolean): Promise<RawFrame | undefined> {
    for (;;) {
      const found = this.frames.find(test);
      if (found !== undefined || this.#over) return found;
      await this.#changed.promise;
    }
  }

  /** Fulfilled when the connection has ended. */
  async closed(): Promise<void> {
    await this.find(() => false);
  }

  /** Waits for a GOAWAY, and returns its code; undefined when the connection ends without one. */
  async goawayCode(): Promise<number | undefined> {
    return (await this.find(({ type }) => type === frameType.goaway))?.payload.readUInt32BE(4);
  }

  /** Names and values of all headers received on a stream. */
  headersOf(streamId: number): readonly string[] {
    const decoder = new HeaderDecoder(1_000_000);
    return this.frames
      .filter((each) => each.type === frameType.headers && each.streamId === streamId)
      .flatMap(({ payload }) => decoder.decode(payload, 0, payload.length).fields);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
