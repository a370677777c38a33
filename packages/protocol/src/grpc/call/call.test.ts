// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { createServer as createHttp2Server, connect as connectHttp2, constants, type IncomingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describe, test, vi } from "vitest";
import { collect, fails } from "../../../test/carrier-suite/expectations.ts";
import { ChunkSchema, DownloadRequestSchema, EchoRequestSchema, EchoResponseSchema, Probe } from "../../../test/gen/probe_pb.ts";
import { listen, openLink } from "../../../test/probe-link.ts";
import { emptyMessageFrame, frame, RawPeer, requestFields, requestFrame, settingsFrame, uint32 } from "../../../test/raw-peer.ts";
import { registration } from "../../carrier/carrier.ts";
import { openCarrierClient } from "../carrier-client.ts";
import { createCarrierServer } from "../carrier-server.ts";
import { errorCode, flag, frameType } from "../frames/frame.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";

const own = { openCarrierClient, createCarrierServer };

/** Sends one request, and returns the headers and trailers of its response. */
async function responseTo(fields: readonly string[], ...frames: readonly Uint8Array[]): Promise<readonly string[]> {
  await using open = await openLink(own, { secure: false });
  const peer = await RawPeer.connect((open.address as { path: string }).path);
  peer.send(requestFrame(1, flag.endHeaders, fields), ...frames);
  const { headers, data } = frameType;
  await peer.find(({ type, streamId, flags }) => (type === headers || type === data) && streamId === 1 && (flags & flag.endStream) !== 0);
  peer.socket.destroy();
  return peer.headersOf(1);
}

const withPath = (path: string): readonly string[] => requestFields.map((value) => (value.startsWith("/") ? path : value));

describe("a server", () => {
  test("rejects compression, and sends the encodings that it accepts", async ({ expect }) => {
    const response = await responseTo([...requestFields, "grpc-encoding", "gzip"], emptyMessageFrame(1));
    expect(response).toEqual(expect.arrayContaining(["grpc-status", "12", "grpc-accept-encoding", "identity"]));
    // A compressed message without a negotiated encoding.
    expect(await responseTo(requestFields, frame(frameType.data, flag.endStream, 1, Buffer.of(1, 0, 0, 0, 0)))).toContain("13");
  });

  test("does not compress for a client that accepts it (pitfall 21)", async ({ expect }) => {
    const response = await responseTo([...requestFields, "grpc-accept-encoding", "gzip,identity"], emptyMessageFrame(1));
    expect(response).toEqual(expect.arrayContaining(["grpc-status", "0"]));
    expect(response).not.toContain("grpc-encoding");
  });

  test("accepts the encoding identity, and a content type with parameters", async ({ expect }) => {
    const fields = requestFields.map((value) => (value === "application/grpc" ? "application/grpc+proto; charset=utf-8" : value));
    expect(await responseTo([...fields, "grpc-encoding", "identity"], emptyMessageFrame(1))).toEqual(
      expect.arrayContaining(["grpc-status", "0"]),
    );
  });

  test("responds to a request that is not gRPC with an HTTP status and a text, after the end of the request", async ({ expect }) => {
    const status = (code: string): readonly string[] => [":status", code, "content-type", "text/plain", "content-length", "36"];
    const withValue = (from: string, to: string): readonly string[] => requestFields.map((value) => value.replace(from, to));
    expect(await responseTo(withValue("application/grpc", "text/html"), emptyMessageFrame(1))).toEqual(status("415"));
    expect(await responseTo(withValue("application/grpc", "application/grpc+json"), emptyMessageFrame(1))).toEqual(status("415"));
    expect(await responseTo(withValue("POST", "GET"), frame(frameType.data, flag.endStream, 1))).toEqual(status("405"));
  });

  test("reports why a request is invalid", async ({ expect }) => {
    const last = (...bytes: number[]): Buffer => frame(frameType.data, flag.endStream, 1, Buffer.from(bytes));
    expect(await responseTo(requestFields, last())).toContain("the call needs a request message");
    expect(await responseTo(requestFields, last(0, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toContain("the call takes one request message");
    expect(await responseTo(requestFields, last(0, 0, 0, 0, 9, 1))).toContain("the request ends in the middle of a message");
    expect(await responseTo(requestFields, last(0, 0, 0, 0, 1, 0xff))).toContain("3");
    expect(await responseTo(withPath("/nowhere"))).toContain('the server has no method "/nowhere"');
    expect(await responseTo([...requestFields, "grpc-timeout", "soon"])).toContain('the timeout "soon" is invalid');
  });

  test("does not send back long texts of the client", async ({ expect }) => {
    const long = "x".repeat(15_000);
    const responses = [
      await responseTo(withPath(`/${long}`)),
      await responseTo([...requestFields, "grpc-timeout", long]),
      await responseTo([...requestFields, "grpc-encoding", long]),
    ];
    for (const response of responses) expect(response.find((value) => value.includes("xxx"))?.length).toBeLessThan(200);
  });

  test("fails a call with headers that are too long", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path);
    const block = encodeHeaders([...requestFields, "x", "y".repeat(70_000)]);
    const parts = Array.from({ length: Math.ceil(block.length / 16_384) }, (_, index) =>
      block.subarray(index * 16_384, (index + 1) * 16_384),
    );
    for (const [index, part] of parts.entries()) {
      peer.send(frame(index === 0 ? frameType.headers : frameType.continuation, index === parts.length - 1 ? flag.endHeaders : 0, 1, part));
    }
    await peer.find(({ type, streamId }) => type === frameType.headers && streamId === 1);
    expect(peer.headersOf(1)).toEqual(expect.arrayContaining(["grpc-status", "8"]));
    peer.socket.destroy();
  });

  test("resets a request when its response precedes the end of the request", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path);
    peer.send(requestFrame(1, flag.endHeaders, withPath("/nowhere")));
    const reset = await peer.find(({ type }) => type === frameType.rstStream);
    expect(reset?.payload.readUInt32BE(0)).toBe(errorCode.noError);
    // Frames that were in flight are ignored.
    peer.send(emptyMessageFrame(1, 0), frame(frameType.windowUpdate, 0, 1, uint32(5)), frame(frameType.rstStream, 0, 1, uint32(8)));
    peer.send(requestFrame(3), emptyMessageFrame(3));
    await peer.find(({ type, streamId, flags }) => type === frameType.headers && streamId === 3 && (flags & flag.endStream) !== 0);
    expect(peer.frames.filter(({ type }) => type === frameType.goaway)).toEqual([]);
    await vi.waitFor(() => expect(open.opened.map(({ completedCalls }) => completedCalls)).toContain(2), 30_000);
    peer.socket.destroy();
  });

  test("writes the responses of one turn of the event loop together", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path);
    await peer.find(({ type, flags }) => type === frameType.settings && flags === flag.ack);
    const socket = open.sockets[0]!;
    const written = vi.spyOn(socket, "write");
    peer.send(...Array.from({ length: 20 }, (_, index) => Buffer.concat([requestFrame(index * 2 + 1), emptyMessageFrame(index * 2 + 1)])));
    await peer.find(({ type, streamId, flags }) => type === frameType.headers && streamId === 39 && (flags & flag.endStream) !== 0);
    expect(written.mock.calls.length).toBeLessThanOrEqual(2);
    peer.socket.destroy();
  });

  test("sends single bytes when the window allows no more", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path, settingsFrame([[4, 0]]));
    const message = toBinary(EchoRequestSchema, {
      $typeName: "tenon.protocol.test.EchoRequest",
      payload: new Uint8Array(40),
      answerSize: 0,
    });
    peer.send(requestFrame(1), frame(frameType.data, flag.endStream, 1, Buffer.concat([Buffer.of(0), uint32(message.length), message])));
    const sent = (): number =>
      peer.frames.filter(({ type }) => type === frameType.data).reduce((sum, { payload }) => sum + payload.length, 0);
    await peer.find(({ type }) => type === frameType.headers);
    peer.send(frame(frameType.ping, 0, 0, new Uint8Array(8)));
    await peer.find(({ type }) => type === frameType.ping);
    expect(sent()).toBe(0);
    for (let length = 1; length <= 20; length++) {
      peer.send(frame(frameType.windowUpdate, 0, 1, uint32(1)));
      await vi.waitFor(() => expect(sent()).toBe(length), 30_000);
    }
    // A window can become negative.
    peer.send(settingsFrame([[4, 10]]), settingsFrame([[4, 0]]), frame(frameType.windowUpdate, 0, 1, uint32(1000)));
    await peer.find(({ type, flags }) => type === frameType.headers && (flags & flag.endStream) !== 0);
    const bytes = Buffer.concat(peer.frames.filter(({ type }) => type === frameType.data).map(({ payload }) => payload));
    expect(fromBinary(EchoResponseSchema, bytes.subarray(5)).payload).toHaveLength(40);
    peer.socket.destroy();
  });

  test("accepts a peer that sends a PING for every small message, as Go's gRPC does", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path, settingsFrame([[4, 4000]]));
    let seen = 0;
    peer.socket.on("data", () => {
      const received = peer.frames.slice(seen).filter(({ type }) => type === frameType.data);
      seen = peer.frames.length;
      if (received.length === 0) return;
      const size = uint32(received.reduce((sum, { payload }) => sum + payload.length, 0));
      peer.send(...received.map(() => frame(frameType.ping, 0, 0, new Uint8Array(8))));
      peer.send(frame(frameType.windowUpdate, 0, 0, size), frame(frameType.windowUpdate, 0, 1, size));
    });
    const request = toBinary(DownloadRequestSchema, { $typeName: "tenon.protocol.test.DownloadRequest", count: 20_000, size: 1 });
    const framed = Buffer.concat([Buffer.of(0), uint32(request.length), request]);
    peer.send(
      requestFrame(1, flag.endHeaders, withPath("/tenon.protocol.test.Probe/Download")),
      frame(frameType.data, flag.endStream, 1, framed),
    );
    await peer.find(({ type, flags }) => type === frameType.headers && (flags & flag.endStream) !== 0);
    expect(peer.frames.filter(({ type }) => type === frameType.data).length).toBeGreaterThanOrEqual(20_000);
    expect(peer.frames.some(({ type }) => type === frameType.goaway)).toBe(false);
    peer.socket.destroy();
  });

  test("announces an empty header table after the peer has shrunk it", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path, settingsFrame([[1, 0]]));
    peer.send(requestFrame(1), emptyMessageFrame(1), requestFrame(3), emptyMessageFrame(3));
    await peer.find(({ type, streamId, flags }) => type === frameType.headers && streamId === 3 && (flags & flag.endStream) !== 0);
    const blocks = peer.frames.filter(({ type }) => type === frameType.headers).map(({ payload }) => payload[0]);
    expect(blocks.filter((byte) => byte === 0x20)).toHaveLength(1);
    peer.socket.destroy();
  });

  test("sends GOAWAY, and finishes the calls that it has accepted", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect((open.address as { path: string }).path);
    peer.send(requestFrame(1));
    peer.send(frame(frameType.ping, 0, 0, new Uint8Array(8)));
    await peer.find(({ type }) => type === frameType.ping);
    const closing = open.server.close();
    const goaway = await peer.find(({ type }) => type === frameType.goaway);
    expect([goaway?.payload.readUInt32BE(0), goaway?.payload.readUInt32BE(4)]).toEqual([1, errorCode.noError]);
    peer.send(requestFrame(3), emptyMessageFrame(3), emptyMessageFrame(1));
    await peer.find(({ type, streamId, flags }) => type === frameType.headers && streamId === 1 && (flags & flag.endStream) !== 0);
    expect(peer.headersOf(1)).toEqual(expect.arrayContaining(["grpc-status", "0"]));
    const refused = peer.frames.find(({ type, streamId }) => type === frameType.rstStream && streamId === 3);
    expect(refused?.payload.readUInt32BE(0)).toBe(errorCode.refusedStream);
    await closing;
  });

  test("serves Node's HTTP/2 client, streaming both ways", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const client = connectHttp2("http://localhost", { createConnection: () => connect((open.address as { path: string }).path) });
    const headers = {
      ":method": "POST",
      ":path": "/tenon.protocol.test.Probe/Exchange",
      "content-type": "application/grpc",
      te: "trailers",
    };
    const request = client.request(headers);
    const message = toBinary(ChunkSchema, { $typeName: "tenon.protocol.test.Chunk", index: 7, payload: new Uint8Array(100_000) });
    const framed = Buffer.concat([Buffer.of(0), uint32(message.length), message]);
    const received: Buffer[] = [];
    request.on("data", (chunk: Buffer) => received.push(chunk));
    for (let index = 0; index < 30; index++) request.write(framed);
    request.end();
    const [trailers] = (await once(request, "trailers")) as [IncomingHttpHeaders];
    expect(trailers["grpc-status"]).toBe("0");
    expect(Buffer.concat(received).equals(Buffer.concat(Array.from({ length: 30 }, () => framed)))).toBe(true);
    client.destroy();
  });
});

describe("errors", () => {
  test("contain details and metadata", async ({ expect }) => {
    const value = { payload: Uint8Array.of(1, 2), session: 5 };
    const metadata = { "x-why": "because", "x-bytes-bin": "AAH/" };
    const service = registration(Probe, {
      echo() {
        throw new ConnectError("no: 100%\n", Code.FailedPrecondition, metadata, [{ desc: EchoResponseSchema, value }]);
      },
    });
    await using open = await openLink(own, { server: { services: [service] } });
    const error = await open.probe.echo({}).catch((reason: unknown) => reason as ConnectError);
    expect(error).toMatchObject({ code: Code.FailedPrecondition, rawMessage: "no: 100%\n" });
    const { details, metadata: received } = error as ConnectError;
    expect(details).toMatchObject([{ type: "tenon.protocol.test.EchoResponse" }]);
    expect((error as ConnectError).findDetails(EchoResponseSchema)).toMatchObject([value]);
    expect([received.get("x-why"), received.get("x-bytes-bin")]).toEqual(["because", "AAH/"]);
  });

  test("describe the response of a peer that is not gRPC", async ({ expect }) => {
    const responses: Record<string, IncomingHttpHeaders> = {
      "404": { ":status": "404" },
      "503": { ":status": "503" },
      html: { ":status": "200", "content-type": "text/html" },
      gzip: { ":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip" },
      nothing: { ":status": "200", "content-type": "application/grpc" },
      odd: { ":status": "200", "content-type": "application/grpc", "grpc-status": "99" },
      percent: { ":status": "200", "content-type": "application/grpc", "grpc-status": "5", "grpc-message": "50%, 100%zz %C3%A4" },
    };
    const server = createHttp2Server();
    server.on("stream", (stream, headers) => stream.respond(responses[headers["x-response"] as string], { endStream: true }));
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    const errorOf = async (response: string): Promise<string> => {
      const error = (await probe.echo({}, { headers: { "x-response": response } }).catch((reason: unknown) => reason)) as ConnectError;
      return `${Code[error.code]}: ${error.rawMessage}`;
    };
    expect(await errorOf("404")).toBe("Unimplemented: the response is not gRPC: HTTP status 404");
    expect(await errorOf("503")).toBe("Unavailable: the response is not gRPC: HTTP status 503");
    expect(await errorOf("html")).toBe('Unknown: the response is not gRPC: content type "text/html"');
    expect(await errorOf("gzip")).toBe('Internal: the response is compressed with "gzip", which was not offered');
    expect(await errorOf("nothing")).toBe("Internal: the response ended without a gRPC status");
    expect(await errorOf("odd")).toBe('Unknown: the response has the unknown gRPC status "99"');
    expect(await errorOf("percent")).toBe("NotFound: 50%, 100%zz ä");
    await client.close();
  });

  test("contain the code of a reset stream", async ({ expect }) => {
    const codes: number[] = [];
    const server = createHttp2Server();
    server.on("stream", (stream) => stream.on("error", () => {}).close(codes.shift()));
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    for (const [code, expected] of [
      [constants.NGHTTP2_REFUSED_STREAM, Code.Unavailable],
      [constants.NGHTTP2_ENHANCE_YOUR_CALM, Code.ResourceExhausted],
      [constants.NGHTTP2_INTERNAL_ERROR, Code.Internal],
    ] as const) {
      codes.push(code);
      await fails(expect, probe.echo({}), expected, /^the peer reset the stream: [A-Z_]+$/);
    }
    await client.close();
  });
});

describe("a client", () => {
  test("opens no more calls than the server allows, and completes all of them", async ({ expect }) => {
    let open = 0;
    let most = 0;
    const server = createHttp2Server({ settings: { maxConcurrentStreams: 3 } });
    server.on("stream", (stream) => {
      most = Math.max(most, ++open);
      stream.resume();
      setTimeout(() => {
        open--;
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.alloc(5));
      }, 5);
    });
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, () => probe.echo({}));
    const cancelled = probe.echo({}, { signal: controller.signal });
    controller.abort();
    await fails(expect, cancelled, Code.Canceled);
    expect(await Promise.all(calls)).toHaveLength(20);
    expect(most).toBe(3);
    await client.close();
  });

  test("finishes the calls that the server accepted before its GOAWAY, and starts no further call", async ({ expect }) => {
    const peers: RawPeer[] = [];
    await using listening = await listen("unix", (socket) => {
      peers.push(new RawPeer(socket, "server"));
      peers[0]!.send(settingsFrame());
    });
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await client.connected;
    const [accepted, late] = [probe.echo({}), probe.echo({})];
    late.catch(() => {});
    const peer = peers[0]!;
    await peer.find(({ type, streamId }) => type === frameType.headers && streamId === 3);
    peer.send(frame(frameType.goaway, 0, 0, Buffer.concat([uint32(1), uint32(0)])));
    await fails(expect, late, Code.Unavailable, /^lost the connection to the plugin/);
    await fails(expect, probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    const head = frame(frameType.headers, flag.endHeaders, 1, encodeHeaders([":status", "200", "content-type", "application/grpc"]));
    peer.send(
      head,
      emptyMessageFrame(1, 0),
      frame(frameType.headers, flag.endHeaders | flag.endStream, 1, encodeHeaders(["grpc-status", "0"])),
    );
    expect(await accepted).toBeDefined();
    expect(await client.closed).toMatchObject({ kind: "lost" });
  });

  test("reports the reason of a GOAWAY without control characters", async ({ expect }) => {
    await using listening = await listen("unix", (socket) => {
      const peer = new RawPeer(socket, "server");
      peer.send(settingsFrame());
      const payload = Buffer.concat([uint32(0), uint32(errorCode.enhanceYourCalm), Buffer.from("\u001b[2Jtoo_many_pings")]);
      void peer.find(({ type }) => type === frameType.headers).then(() => peer.send(frame(frameType.goaway, 0, 0, payload)));
    });
    const client = openCarrierClient({ address: listening.address });
    await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /ENHANCE_YOUR_CALM: \ufffd\[2Jtoo_many_pings$/);
  });

  test("sends its deadline, and resets a cancelled call", async ({ expect }) => {
    const peers: RawPeer[] = [];
    await using listening = await listen("unix", (socket) => {
      peers.push(new RawPeer(socket, "server"));
      peers[0]!.send(settingsFrame());
    });
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    // A call whose deadline expires before the connection is established is never sent.
    await client.connected;
    await fails(expect, probe.echo({}, { timeoutMs: 50 }), Code.DeadlineExceeded);
    const peer = peers[0]!;
    const reset = await peer.find(({ type }) => type === frameType.rstStream);
    expect(reset?.payload.readUInt32BE(0)).toBe(errorCode.cancel);
    expect(peer.headersOf(1)).toEqual(expect.arrayContaining(["grpc-timeout", "50m"]));
    await fails(expect, probe.echo({}, { timeoutMs: 0 }), Code.DeadlineExceeded);
    expect(peer.frames.filter(({ type }) => type === frameType.headers)).toHaveLength(1);
    await client.close();
    await peer.closed();
    expect(peer.frames.at(-1)).toMatchObject({ type: frameType.goaway });
  });

  test("ignores data that was in flight when it cancelled a call, up to the size of the window", async ({ expect }) => {
    const peers: RawPeer[] = [];
    await using listening = await listen("unix", (socket) => {
      peers.push(new RawPeer(socket, "server"));
      peers[0]!.send(settingsFrame());
    });
    const client = openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await client.connected;
    const reading = collect(probe.download({}, { timeoutMs: 100 }));
    await fails(expect, reading, Code.DeadlineExceeded);
    const peer = peers[0]!;
    await peer.find(({ type }) => type === frameType.rstStream);
    const late = frame(frameType.data, 0, 1, new Uint8Array(40));
    peer.send(...Array.from({ length: 100_000 }, () => late), frame(frameType.ping, 0, 0, new Uint8Array(8)));
    await peer.find(({ type }) => type === frameType.ping);
    expect(peer.frames.some(({ type }) => type === frameType.goaway)).toBe(false);
    peer.send(...Array.from({ length: 120_000 }, () => late));
    expect(await peer.goawayCode()).toBe(errorCode.streamClosed);
    expect(await client.closed).toMatchObject({ kind: "lost", error: { cause: { code: "HTTP2_VIOLATED" } } });
  });

  test("receives no more than the window of a stream when the caller does not read", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const elements = open.probe.download({ count: 1000, size: 100_000 })[Symbol.asyncIterator]();
    await elements.next();
    await sleep(200);
    expect(open.log.sent.length).toBeLessThan(100);
    expect(await collect({ [Symbol.asyncIterator]: () => elements })).toHaveLength(999);
  });

  test("stops sending requests when the response is complete", async ({ expect }) => {
    const service = registration(Probe, { upload: () => Promise.resolve({ count: 1 }) });
    await using open = await openLink(own, { server: { services: [service] } });
    let ended = false;
    const requests = async function* (): AsyncGenerator<{ payload: Uint8Array }> {
      try {
        for (;;) {
          yield { payload: new Uint8Array(1000) };
          await sleep(1);
        }
      } finally {
        ended = true;
      }
    };
    expect(await open.probe.upload(requests())).toMatchObject({ count: 1 });
    await vi.waitFor(() => expect(ended).toBe(true), 30_000);
    await vi.waitFor(() => expect(open.opened[0]?.completedCalls).toBe(1), 30_000);
  });
});
