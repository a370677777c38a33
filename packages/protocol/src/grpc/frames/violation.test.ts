// SPDX-License-Identifier: Apache-2.0
import { Code, createClient } from "@connectrpc/connect";
import { describe, test, vi } from "vitest";
import { windowSize } from "../../carrier/carrier.ts";
import { Probe } from "../../../test/gen/probe_pb.ts";
import { fails } from "../../../test/carrier-suite/expectations.ts";
import { type Link, listen, openLink } from "../../../test/probe-link.ts";
import { emptyMessageFrame, frame, RawPeer, requestFields, requestFrame, settingsFrame, uint32 } from "../../../test/raw-peer.ts";
import { openCarrierClient } from "../carrier-client.ts";
import { createCarrierServer } from "../carrier-server.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";
import { errorCode, errorName, flag, frameType } from "./frame.ts";

const { data, headers, priority, rstStream, settings, pushPromise, ping, goaway, windowUpdate, continuation } = frameType;
const block = encodeHeaders(requestFields);
const many = (count: number, make: (index: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

/** Violations that end a connection: name, code of the GOAWAY, and the bytes of the client. */
const violations: readonly (readonly [name: string, code: number, bytes: Uint8Array])[] = [
  ["a frame longer than allowed", errorCode.frameSizeError, frame(data, 0, 1, new Uint8Array(16_385))],
  ["DATA on stream 0", errorCode.protocolError, frame(data, 0, 0)],
  ["DATA on a stream that was never opened", errorCode.protocolError, frame(data, 0, 7)],
  [
    "DATA with padding longer than the frame",
    errorCode.protocolError,
    Buffer.concat([requestFrame(1), frame(data, flag.padded, 1, Buffer.of(9, 0))]),
  ],
  ["padded DATA without a pad length", errorCode.protocolError, Buffer.concat([requestFrame(1), frame(data, flag.padded, 1)])],
  ["HEADERS on stream 0", errorCode.protocolError, requestFrame(0)],
  ["HEADERS on a stream with an even identifier", errorCode.protocolError, requestFrame(2)],
  ["HEADERS too short for their priority", errorCode.frameSizeError, frame(headers, flag.endHeaders | flag.priority, 1, Buffer.of(1))],
  [
    "a header block interrupted by another frame",
    errorCode.protocolError,
    Buffer.concat([requestFrame(1, 0), frame(ping, 0, 0, Buffer.alloc(8))]),
  ],
  ["CONTINUATION on another stream", errorCode.protocolError, Buffer.concat([requestFrame(1, 0), frame(continuation, 4, 3)])],
  ["CONTINUATION without HEADERS", errorCode.protocolError, frame(continuation, flag.endHeaders, 1)],
  ["a flood of CONTINUATION", errorCode.enhanceYourCalm, Buffer.concat([requestFrame(1, 0), many(100, () => frame(continuation, 0, 1))])],
  [
    "an endless header block",
    errorCode.enhanceYourCalm,
    Buffer.concat([requestFrame(1, 0), many(9, () => frame(continuation, 0, 1, new Uint8Array(16_384)))]),
  ],
  ["an invalid header index", errorCode.compressionError, frame(headers, 4, 1, Buffer.of(0xff, 0xff, 0x03))],
  ["a truncated header block", errorCode.compressionError, frame(headers, 4, 1, block.subarray(0, -1))],
  ["Huffman code with invalid padding", errorCode.compressionError, frame(headers, 4, 1, Buffer.of(0x00, 0x81, 0x00, 0x01, 0x61))],
  ["a header table that is too large", errorCode.compressionError, frame(headers, 4, 1, Buffer.of(0x3f, 0xe2, 0x1f))],
  ["an endless number in a header block", errorCode.compressionError, frame(headers, 4, 1, Buffer.alloc(40, 0xff))],
  ["PRIORITY on stream 0", errorCode.protocolError, frame(priority, 0, 0, new Uint8Array(5))],
  ["PRIORITY with an invalid length", errorCode.frameSizeError, frame(priority, 0, 1, new Uint8Array(4))],
  ["RST_STREAM on stream 0", errorCode.protocolError, frame(rstStream, 0, 0, uint32(8))],
  ["RST_STREAM on a stream that was never opened", errorCode.protocolError, frame(rstStream, 0, 9, uint32(8))],
  ["RST_STREAM with an invalid length", errorCode.frameSizeError, frame(rstStream, 0, 1, new Uint8Array(5))],
  ["SETTINGS on a stream", errorCode.protocolError, frame(settings, 0, 1)],
  ["SETTINGS with an invalid length", errorCode.frameSizeError, frame(settings, 0, 0, new Uint8Array(7))],
  ["a SETTINGS acknowledgement with settings", errorCode.frameSizeError, frame(settings, flag.ack, 0, new Uint8Array(6))],
  ["an initial window that is too large", errorCode.flowControlError, settingsFrame([[4, 0x8000_0000]])],
  ["MAX_FRAME_SIZE below the minimum", errorCode.protocolError, settingsFrame([[5, 100]])],
  ["an invalid value of ENABLE_PUSH", errorCode.protocolError, settingsFrame([[2, 2]])],
  ["too many settings in one frame", errorCode.enhanceYourCalm, settingsFrame(Array.from({ length: 100 }, () => [99, 1] as const))],
  ["PUSH_PROMISE", errorCode.protocolError, frame(pushPromise, 4, 1, Buffer.concat([uint32(2), block]))],
  ["PING on a stream", errorCode.protocolError, frame(ping, 0, 1, new Uint8Array(8))],
  ["PING with an invalid length", errorCode.frameSizeError, frame(ping, 0, 0, new Uint8Array(6))],
  ["GOAWAY on a stream", errorCode.protocolError, frame(goaway, 0, 1, new Uint8Array(8))],
  ["a truncated GOAWAY", errorCode.frameSizeError, frame(goaway, 0, 0, new Uint8Array(7))],
  ["WINDOW_UPDATE by 0", errorCode.protocolError, frame(windowUpdate, 0, 0, uint32(0))],
  ["WINDOW_UPDATE with an invalid length", errorCode.frameSizeError, frame(windowUpdate, 0, 0, new Uint8Array(3))],
  ["WINDOW_UPDATE beyond the largest window", errorCode.flowControlError, frame(windowUpdate, 0, 0, uint32(0x7fff_ffff))],
  ["WINDOW_UPDATE on a stream that was never opened", errorCode.protocolError, frame(windowUpdate, 0, 5, uint32(1))],
  ["HEADERS that depend on themselves", errorCode.protocolError, frame(headers, 0x24, 1, Buffer.concat([uint32(1), Buffer.of(0), block]))],
  ["PRIORITY that depends on itself", errorCode.protocolError, frame(priority, 0, 3, Buffer.concat([uint32(3), Buffer.of(0)]))],
  [
    "HEADERS on a stream that has ended",
    errorCode.streamClosed,
    Buffer.concat([requestFrame(1), emptyMessageFrame(1), many(2, () => requestFrame(1, 5))]),
  ],
  [
    "HEADERS on a stream that the client has reset",
    errorCode.streamClosed,
    Buffer.concat([requestFrame(1), frame(rstStream, 0, 1, uint32(8)), requestFrame(1, 5)]),
  ],
  ["a flood of PING", errorCode.enhanceYourCalm, many(30_000, () => frame(ping, 0, 0, new Uint8Array(8)))],
  ["a flood of SETTINGS", errorCode.enhanceYourCalm, many(30_000, () => settingsFrame())],
  ["a flood of empty DATA", errorCode.enhanceYourCalm, Buffer.concat([requestFrame(1), many(30_000, () => frame(data, 0, 1))])],
  ["a flood of PRIORITY", errorCode.enhanceYourCalm, many(30_000, () => frame(priority, 0, 1, new Uint8Array(5)))],
  ["a flood of frames of unknown types", errorCode.enhanceYourCalm, many(30_000, () => frame(77, 0, 0))],
  [
    "a flood of RST_STREAM",
    errorCode.enhanceYourCalm,
    Buffer.concat([requestFrame(1), many(30_000, () => frame(rstStream, 0, 1, uint32(8)))]),
  ],
  [
    "calls that are cancelled immediately (rapid reset)",
    errorCode.enhanceYourCalm,
    many(3000, (index) => Buffer.concat([requestFrame(index * 2 + 1), frame(rstStream, 0, index * 2 + 1, uint32(8))])),
  ],
];

async function withServer(use: (open: Link, path: string) => Promise<void>): Promise<void> {
  await using open = await openLink({ openCarrierClient, createCarrierServer }, { secure: false });
  await use(open, (open.address as { path: string }).path);
}

describe("a server ends the connection on", () => {
  test.for(violations)("%s: $1", async ([name, code, bytes], { expect }) => {
    await withServer(async (open, path) => {
      const peer = await RawPeer.connect(path);
      peer.send(bytes);
      expect(errorName((await peer.goawayCode()) ?? -1), name).toBe(errorName(code));
      await peer.closed();
      await vi.waitFor(() => expect(open.connectionErrors).toHaveLength(1), 30_000);
      expect(open.connectionErrors[0]).toMatchObject({ name: "ProtocolError", code: "HTTP2_VIOLATED" });
      // Other connections are not affected.
      expect(await open.probe.echo({})).toBeDefined();
      await vi.waitFor(() => expect(open.server.sessionCount).toBe(1), 30_000);
    });
  });

  test("a first frame other than SETTINGS", async ({ expect }) => {
    await withServer(async (_open, path) => {
      const peer = await RawPeer.connect(path, frame(ping, 0, 0, new Uint8Array(8)));
      expect(await peer.goawayCode()).toBe(errorCode.protocolError);
    });
  });

  test("more data than the window of a stream", async ({ expect }) => {
    await withServer(async (_open, path) => {
      // The handler sends messages back, and stops reading when it cannot.
      const exchange = requestFields.map((value) => value.replace("Echo", "Exchange"));
      const peer = await RawPeer.connect(path, settingsFrame([[4, 0]]));
      const message = Buffer.concat([Buffer.of(0), uint32(16_379), new Uint8Array(16_379)]);
      peer.send(requestFrame(1, flag.endHeaders, exchange), emptyMessageFrame(1, 0), emptyMessageFrame(1, 0));
      await peer.find(({ type, streamId }) => type === headers && streamId === 1);
      const full = windowSize.stream / message.length;
      peer.send(many(full - 1, () => frame(data, 0, 1, message)));
      peer.send(frame(ping, 0, 0, new Uint8Array(8)));
      await peer.find(({ type }) => type === ping);
      expect(peer.frames.filter(({ type }) => type === goaway || type === rstStream)).toEqual([]);
      peer.send(frame(data, 0, 1, message), frame(data, 0, 1, message));
      expect(await peer.goawayCode()).toBe(errorCode.flowControlError);
    });
  });
});

describe("a server resets the stream, and keeps the connection, on", () => {
  const streamViolations: readonly (readonly [string, number, readonly Uint8Array[]])[] = [
    ["a pseudo-header after other headers", errorCode.protocolError, [requestFrame(1, 4, ["te", "trailers", ...requestFields])]],
    ["a connection header", errorCode.protocolError, [requestFrame(1, 4, [...requestFields, "connection", "close"])]],
    ["a header name in upper case", errorCode.protocolError, [requestFrame(1, 4, [...requestFields, "X-Big", "1"])]],
    ["a line break in a header value", errorCode.protocolError, [requestFrame(1, 4, [...requestFields, "x", "a\r\nb"])]],
    ["a pseudo-header twice", errorCode.protocolError, [requestFrame(1, 4, [":path", "/a", ...requestFields])]],
    ["an unknown pseudo-header", errorCode.protocolError, [requestFrame(1, 4, [":what", "a", ...requestFields])]],
    [
      "a request without :scheme",
      errorCode.protocolError,
      [
        requestFrame(
          1,
          4,
          requestFields.filter((_, index) => index !== 2 && index !== 3),
        ),
      ],
    ],
    [
      "a request with an empty :path",
      errorCode.protocolError,
      [
        requestFrame(
          1,
          4,
          requestFields.map((value) => (value.startsWith("/") ? "" : value)),
        ),
      ],
    ],
    ["a request with :status", errorCode.protocolError, [requestFrame(1, 4, [":status", "200", ...requestFields])]],
    ["te with another value than trailers", errorCode.protocolError, [requestFrame(1, 4, [...requestFields.slice(0, -1), "gzip"])]],
    ["a pseudo-header in trailers", errorCode.protocolError, [requestFrame(1), frame(headers, 5, 1, encodeHeaders([":path", "/"]))]],
    [
      "less data than its content-length",
      errorCode.protocolError,
      [requestFrame(1, 4, [...requestFields, "content-length", "6"]), emptyMessageFrame(1)],
    ],
    [
      "more data than its content-length",
      errorCode.protocolError,
      [requestFrame(1, 4, [...requestFields, "content-length", "4"]), emptyMessageFrame(1, 0)],
    ],
    ["headers in the middle of the request", errorCode.protocolError, [requestFrame(1), frame(headers, 4, 1, encodeHeaders(["x", "y"]))]],
    ["WINDOW_UPDATE by 0 on a stream", errorCode.protocolError, [requestFrame(1), frame(windowUpdate, 0, 1, uint32(0))]],
    [
      "a window of a stream beyond the largest",
      errorCode.flowControlError,
      [requestFrame(1), frame(windowUpdate, 0, 1, uint32(0x7fff_ffff))],
    ],
  ];

  test.for(streamViolations)("%s", async ([, code, frames], { expect }) => {
    await withServer(async (_open, path) => {
      const peer = await RawPeer.connect(path);
      peer.send(...frames);
      const reset = await peer.find(({ type }) => type === rstStream);
      expect(errorName(reset?.payload.readUInt32BE(0) ?? -1)).toBe(errorName(code));
      // The connection still works.
      peer.send(requestFrame(3), emptyMessageFrame(3));
      await peer.find(({ type, streamId, flags }) => type === headers && streamId === 3 && (flags & flag.endStream) !== 0);
      expect(peer.headersOf(3)).toContain("grpc-status");
      peer.socket.destroy();
    });
  });

  test("data after the end of the request", async ({ expect }) => {
    await withServer(async (_open, path) => {
      const peer = await RawPeer.connect(path);
      const hang = requestFields.map((value) => value.replace("Echo", "Hang"));
      peer.send(requestFrame(1, flag.endHeaders, hang), emptyMessageFrame(1), emptyMessageFrame(1));
      const reset = await peer.find(({ type }) => type === rstStream);
      expect(reset?.payload.readUInt32BE(0)).toBe(errorCode.streamClosed);
      peer.socket.destroy();
    });
  });

  test("a call above the limit of open calls", async ({ expect }) => {
    await withServer(async (open, path) => {
      const peer = await RawPeer.connect(path);
      const hang = requestFields.map((value) => value.replace("Echo", "Hang"));
      const call = (index: number): Uint8Array =>
        Buffer.concat([requestFrame(index * 2 + 1, flag.endHeaders, hang), emptyMessageFrame(index * 2 + 1)]);
      peer.send(many(1025, call));
      const reset = await peer.find(({ type }) => type === rstStream);
      expect(reset).toMatchObject({ streamId: 2049 });
      expect(reset?.payload.readUInt32BE(0)).toBe(errorCode.refusedStream);
      expect(await open.probe.echo({})).toBeDefined();
      peer.socket.destroy();
    });
  });
});

describe("a client ends the connection on", () => {
  const responseHeaders = encodeHeaders([":status", "200", "content-type", "application/grpc"]);
  const cases: readonly (readonly [name: string, code: number, bytes: Uint8Array])[] = [
    ["PUSH_PROMISE", errorCode.protocolError, frame(pushPromise, 4, 1, Buffer.concat([uint32(2), responseHeaders]))],
    ["HEADERS on a stream of the server", errorCode.protocolError, frame(headers, 4, 2, responseHeaders)],
    ["a response without a call", errorCode.protocolError, frame(headers, 4, 99, responseHeaders)],
    ["a window beyond the largest", errorCode.flowControlError, frame(windowUpdate, 0, 0, uint32(0x7fff_ffff))],
    ["headers that cannot be decoded", errorCode.compressionError, frame(headers, 4, 1, Buffer.of(0xff, 0xff, 0x03))],
    ["a flood of PING", errorCode.enhanceYourCalm, many(30_000, () => frame(ping, 0, 0, new Uint8Array(8)))],
  ];

  test.for(cases)("%s", async ([, code, bytes], { expect }) => {
    const peers: RawPeer[] = [];
    await using listening = await listen("unix", (socket) => {
      const peer = new RawPeer(socket, "server");
      peers.push(peer);
      peer.send(settingsFrame());
    });
    const client = openCarrierClient({ address: listening.address });
    const call = createClient(Probe, client.transport).echo({});
    call.catch(() => {});
    await vi.waitFor(() => expect(peers[0]?.frames.some(({ type }) => type === headers)).toBe(true), 30_000);
    peers[0]!.send(bytes);
    expect(errorName((await peers[0]!.goawayCode()) ?? -1)).toBe(errorName(code));
    await fails(expect, call, Code.Unavailable, /^lost the connection to the plugin/);
    expect(await client.closed).toMatchObject({ kind: "lost", error: { code: "CONNECTION_LOST", cause: { code: "HTTP2_VIOLATED" } } });
  });
});
