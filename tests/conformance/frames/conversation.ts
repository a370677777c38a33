// SPDX-License-Identifier: Apache-2.0
// Valid conversations over HTTP/2, frame by frame. Independent of the code under test.
import type { Random } from "@tenon/testing/generate";

export interface Frame {
  type: number;
  flags: number;
  streamId: number;
  payload: Buffer;
  /** Length in the frame header, when it differs from that of the payload. */
  length?: number;
}

export const preface: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION] = [0, 1, 3, 4, 6, 8, 9] as const;
const [END_STREAM, END_HEADERS, PADDED] = [1, 4, 8] as const;

export function bytesOf({ type, flags, streamId, payload, length }: Frame): Buffer {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE((length ?? payload.length) & 0xffffff, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(streamId >>> 0, 5);
  payload.copy(bytes, 9);
  return bytes;
}

/** A header block of literals, some of which are added to the table. */
function block(random: Random, fields: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(random.chance(0.5) ? 0x40 : 0), text(name), text(value)]));
}

function message(payload: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

function headers(random: Random, streamId: number, end: boolean, fields: readonly (readonly [string, string])[]): Frame[] {
  const whole = block(random, fields);
  const flags = end ? END_STREAM : 0;
  if (random.chance(0.7)) return [{ type: HEADERS, flags: flags | END_HEADERS, streamId, payload: whole }];
  const middle = random.int(whole.length);
  return [
    { type: HEADERS, flags, streamId, payload: whole.subarray(0, middle) },
    { type: CONTINUATION, flags: END_HEADERS, streamId, payload: whole.subarray(middle) },
  ];
}

function data(random: Random, streamId: number, end: boolean, payload: Buffer): Frame[] {
  const frames: Frame[] = [];
  let rest = payload;
  while (random.chance(0.3) && rest.length > 1) {
    const size = 1 + random.int(rest.length - 1);
    frames.push({ type: DATA, flags: 0, streamId, payload: rest.subarray(0, size) });
    rest = rest.subarray(size);
  }
  const padding = random.chance(0.2) ? random.int(20) : undefined;
  const padded = padding === undefined ? rest : Buffer.concat([Buffer.of(padding), rest, Buffer.alloc(padding)]);
  return [...frames, { type: DATA, flags: (end ? END_STREAM : 0) | (padding === undefined ? 0 : PADDED), streamId, payload: padded }];
}

/** Random frames that belong to no call. */
function framesWithoutCall(random: Random): Frame[] {
  return random.weighted<() => Frame[]>([
    [6, () => []],
    [1, () => [{ type: PING, flags: random.int(2), streamId: 0, payload: Buffer.alloc(8, 1) }]],
    [1, () => [{ type: SETTINGS, flags: 1, streamId: 0, payload: Buffer.alloc(0) }]],
    [1, () => [{ type: SETTINGS, flags: 0, streamId: 0, payload: Buffer.from("000400010000", "hex") }]],
    [1, () => [{ type: WINDOW_UPDATE, flags: 0, streamId: 0, payload: Buffer.from("00001000", "hex") }]],
    [1, () => [{ type: 2, flags: 0, streamId: 1, payload: Buffer.alloc(5) }]],
  ])();
}

/** Paths of a unary method, a server stream and a client stream. */
export const paths: readonly string[] = ["GetMetadata", "ListResource", "WriteStateBytes"].map((name) => `/tfplugin6.Provider/${name}`);

/** Frames of a client that makes some calls. */
export function clientFrames(random: Random): Frame[] {
  const frames: Frame[] = [{ type: SETTINGS, flags: 0, streamId: 0, payload: Buffer.from("000200000000000400100000", "hex") }];
  for (let call = 0, calls = 1 + random.int(4); call < calls; call++) {
    const streamId = call * 2 + 1;
    const path = random.pick([...paths, "/nowhere"]);
    const timeout = random.chance(0.3) ? [["grpc-timeout", `${random.int(100)}m`] as const] : [];
    const fields = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", path],
      [":authority", "localhost"],
      ["content-type", "application/grpc"],
      ["te", "trailers"],
      ...timeout,
    ] as const;
    frames.push(...headers(random, streamId, false, fields));
    const messages = path.endsWith("Bytes") ? random.int(4) : 1;
    const payload = Buffer.concat(Array.from({ length: messages }, () => message(Buffer.from("0a0161", "hex"))));
    if (random.chance(0.1)) frames.push({ type: RST_STREAM, flags: 0, streamId, payload: Buffer.from("00000008", "hex") });
    else frames.push(...data(random, streamId, true, payload));
    frames.push(...framesWithoutCall(random));
  }
  return frames;
}

/** Frames of a server that answers calls in their order. */
export function serverFrames(random: Random, calls: number): Frame[] {
  const frames: Frame[] = [{ type: SETTINGS, flags: 0, streamId: 0, payload: Buffer.from("000300000064", "hex") }];
  for (let call = 0; call < calls; call++) {
    const streamId = call * 2 + 1;
    const status = random.pick(["0", "0", "5", "13"]);
    const trailers = [
      ["grpc-status", status],
      ["grpc-message", "half%20way"],
    ] as const;
    const first = [
      [":status", "200"],
      ["content-type", "application/grpc"],
    ] as const;
    if (random.chance(0.2)) frames.push(...headers(random, streamId, true, [...first, ...trailers]));
    else {
      frames.push(...headers(random, streamId, false, first));
      frames.push(...data(random, streamId, false, message(Buffer.alloc(0))), ...framesWithoutCall(random));
      frames.push(...headers(random, streamId, true, trailers));
    }
    frames.push(...framesWithoutCall(random));
  }
  return frames;
}
