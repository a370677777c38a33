// SPDX-License-Identifier: Apache-2.0
import { connect as connectNet, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describe, type ExpectStatic, test, vi } from "vitest";
import { cancellableStream } from "../src/carrier/cancellable-stream.ts";
import { Health } from "../src/gen/grpc/health/v1/health_pb.ts";
import { Probe } from "./gen/probe_pb.ts";
import { type CarrierPair, certificates, type LinkKind, listen, openLink } from "./probe-link.ts";

const MB = 1_000_000;
const links: readonly LinkKind[] = [
  { network: "unix", secure: true },
  { network: "unix", secure: false },
  { network: "tcp", secure: true },
  { network: "tcp", secure: false },
];

/** What every pair of a carrier's client and a carrier's server must do, over real sockets. */
export function describeCarrier(name: string, pair: CarrierPair): void {
  describe(name, () => {
    for (const link of links)
      describe(`over ${link.network}, ${link.secure ? "TLS" : "plaintext"}`, () => {
        everyCall(pair, link);
      });
    describe("calls", () => {
      calls(pair);
    });
    describe("limits and flow", () => {
      flow(pair);
    });
    describe("who may connect", () => {
      admission(pair);
    });
    describe("how it ends", () => {
      endings(pair);
    });
  });
}

/** The kinds of call, on each kind of link. */
function everyCall(pair: CarrierPair, link: LinkKind): void {
  test("unary", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const payload = Uint8Array.from([0, 1, 255]);
    expect((await open.probe.echo({ payload })).payload).toEqual(payload);
    expect((await open.probe.echo({})).payload).toHaveLength(0);
  });

  test("server stream", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const chunks = await collect(open.probe.download({ count: 300, size: 1000 }));
    expect(chunks.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(await collect(open.probe.download({ count: 0 }))).toEqual([]);
  });

  test("client stream", async ({ expect }) => {
    await using open = await openLink(pair, link);
    expect(await open.probe.upload(chunks(300, 1000))).toMatchObject({ count: 300, size: 300_000n });
    expect(await open.probe.upload(chunks(0, 0))).toMatchObject({ count: 0, size: 0n });
  });

  test("both ways at once", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const answers = await collect(open.probe.exchange(chunks(50, 1000)));
    expect(answers.map(({ index, payload }) => [index, payload.length])).toEqual(Array.from({ length: 50 }, (_, index) => [index, 1000]));
  });

  test("40 MB each way", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const payload = new Uint8Array(40 * MB).fill(7);
    const answer = await open.probe.echo({ payload });
    expect(Buffer.compare(answer.payload, payload)).toBe(0);
  });

  test("200 at a time", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => open.probe.echo({ payload: Uint8Array.of(index) })));
    expect(answers.map(({ payload }) => payload[0])).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });
}

function calls(pair: CarrierPair): void {
  test("headers and trailers travel both ways", async ({ expect }) => {
    await using open = await openLink(pair);
    let header: Headers | undefined;
    let trailer: Headers | undefined;
    const options = {
      headers: { "x-probe": "hello" },
      onHeader: (all: Headers) => (header = all),
      onTrailer: (all: Headers) => (trailer = all),
    };
    await open.probe.echo({}, options);
    expect(open.log.headers).toEqual(["hello"]);
    expect(header?.get("x-probe-header")).toBe("first");
    expect(trailer?.get("x-probe-trailer")).toBe("last");
  });

  test("what a handler throws arrives with its text, and nothing is printed", async ({ expect, onTestFinished }) => {
    const printed = [
      vi.spyOn(process.stderr, "write"),
      vi.spyOn(process.stdout, "write"),
      vi.spyOn(console, "error"),
      vi.spyOn(console, "log"),
    ];
    onTestFinished(() => printed.forEach((spy) => spy.mockRestore()));
    await using open = await openLink(pair);
    await fails(expect, open.probe.fail({ text: "cannot reach the API: 50% häßlich" }), Code.Internal, "cannot reach the API: 50% häßlich");
    await fails(expect, open.probe.fail({ text: "no such note", code: Code.NotFound }), Code.NotFound, "no such note");
    await fails(expect, collect(open.probe.failLate({ text: "half way" })), Code.Internal, "half way");
    await fails(expect, collect(open.probe.failLate({ text: "later", code: Code.Aborted })), Code.Aborted, "later");
    await fails(expect, open.probe.fail({ text: "" }), Code.Internal, "Error");
    // The server is none the worse for it.
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  test("a text too long for a header is cut", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.fail({ text: "ä".repeat(100_000) }), Code.Internal, `${"ä".repeat(4000)}…`);
    await fails(expect, open.probe.fail({ text: "x".repeat(100_000), code: Code.DataLoss }), Code.DataLoss, `${"x".repeat(4000)}…`);
  });

  test("an element before the failure is not lost", async ({ expect }) => {
    await using open = await openLink(pair);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { index } of open.probe.failLate({ text: "half way" })) seen.push(index);
    })();
    await fails(expect, reading, Code.Internal, "half way");
    expect(seen).toEqual([0]);
  });

  test("what is not served is unimplemented", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.absent({}), Code.Unimplemented);
    await fails(expect, createClient(Health, open.client.transport).check({}), Code.Unimplemented);
    await fails(expect, collect(createClient(Health, open.client.transport).watch({})), Code.Unimplemented);
  });

  test("a deadline passes at both ends", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.hang({}, { timeoutMs: 100 }), Code.DeadlineExceeded);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]));
    expect(await open.probe.echo({}, { timeoutMs: 5000 })).toBeDefined();
  });

  test("a cancel reaches the handler", async ({ expect }) => {
    await using open = await openLink(pair);
    const controller = new AbortController();
    const call = open.probe.hang({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await fails(expect, call, Code.Canceled);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]));
  });

  test("a call cancelled beforehand is not made", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    await fails(expect, open.probe.echo({}, { signal: AbortSignal.abort() }), Code.Canceled);
    expect(open.log.headers).toEqual([]);
  });

  test("a session is the same for its calls and another for another client", async ({ expect }) => {
    await using open = await openLink(pair);
    const other = createClient(Probe, open.connect().transport);
    const numbers = [await open.probe.echo({}), await other.echo({}), await open.probe.echo({}), await other.echo({})];
    expect(numbers.map(({ session }) => session)).toEqual([1, 2, 1, 2]);
    expect(open.server.sessionCount).toBe(2);
  });

  test("what arrived before the connection was accepted is not lost", async ({ expect }) => {
    for (const link of links) {
      await using open = await openLink(pair, { ...link, acceptAfter: 100 });
      expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    }
  });
}

function flow(pair: CarrierPair): void {
  test("while 30 MB wait to be sent, no other call is refused", async ({ expect }) => {
    await using open = await openLink(pair);
    const big = open.probe.echo({ answerSize: 30 * MB });
    const small = Array.from({ length: 20 }, async (_, index) => {
      await sleep(index);
      return open.probe.echo({ payload: Uint8Array.of(1) });
    });
    expect(await Promise.all(small)).toHaveLength(20);
    expect((await big).payload).toHaveLength(30 * MB);
  });

  test("a slow reader slows the sender down, and nobody else", async ({ expect }) => {
    await using open = await openLink(pair);
    const elements = open.probe.download({ count: 400, size: 100_000 })[Symbol.asyncIterator]();
    for (let read = 0; read < 3; read++) await elements.next();
    await sleep(300);
    // Not the 40 MB: one stream's window and what buffers hold.
    expect(open.log.sent.length).toBeLessThan(200);
    expect((await open.probe.echo({ payload: new Uint8Array(MB) })).payload).toHaveLength(MB);
    let rest = 0;
    while (!(await elements.next()).done) rest++;
    expect(rest).toBe(397);
  });

  test("a message above a limit is refused by whoever has it, and the connection goes on", async ({ expect }) => {
    await using open = await openLink(pair, { server: { readMaxBytes: MB, writeMaxBytes: MB } });
    // Together far more than a connection's window: what is refused must not stay in it.
    for (let round = 0; round < 4; round++) {
      await fails(expect, open.probe.echo({ payload: new Uint8Array(10 * MB) }), Code.ResourceExhausted);
      await fails(expect, open.probe.echo({ answerSize: 2 * MB }), Code.ResourceExhausted);
    }
    const small = createClient(Probe, open.connect({ readMaxBytes: 1000, writeMaxBytes: 1000 }).transport);
    await fails(expect, small.echo({ payload: new Uint8Array(2000) }), Code.ResourceExhausted);
    for (let round = 0; round < 30; round++) await fails(expect, small.echo({ answerSize: MB - 100 }), Code.ResourceExhausted);
    expect((await small.echo({ payload: new Uint8Array(100) })).payload).toHaveLength(100);
    expect((await open.probe.echo({ answerSize: MB - 100 })).payload).toHaveLength(MB - 100);
  });

  test("breaking off a cancellable stream cancels the call", async ({ expect }) => {
    await using open = await openLink(pair);
    for await (const { index } of cancellableStream((signal) => open.probe.download({ count: 1000, size: 100_000 }, { signal }))) {
      if (index === 2) break;
    }
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["download"]));
    expect(open.log.sent.length).toBeLessThan(1000);
  });
}

function admission(pair: CarrierPair): void {
  test("nobody but the host is let in", async ({ expect }) => {
    await using open = await openLink(pair);
    const refused = async (client: ReturnType<typeof open.connect>): Promise<void> => {
      await expect(client.connected).rejects.toMatchObject({ name: "ProtocolError", code: "CONNECTION_FAILED" });
      await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /^cannot connect to the plugin at unix /);
      expect(await client.closed).toMatchObject({ kind: "refused", error: { code: "CONNECTION_FAILED" } });
    };
    const serverCertificatePem = certificates.server.certificatePem;
    await refused(open.connect({ tls: { ...certificates.stranger, serverCertificatePem } }));
    await refused(open.connect({ tls: { certificatePem: "", privateKeyPem: "", serverCertificatePem } }));
    // A client without a certificate of its own, or without TLS.
    await refused(pair.openCarrierClient({ address: open.address }));
    expect(open.connectionErrors.length).toBeGreaterThan(0);
    expect(open.log.headers).toEqual([]);
    // The host still is.
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
  });

  test("a server with another certificate than it announced is not spoken to", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    const client = open.connect({ tls: { ...certificates.client, serverCertificatePem: certificates.stranger.certificatePem } });
    await expect(client.connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(open.opened).toHaveLength(1);
  });

  test("a server without TLS is not spoken to where TLS was agreed", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    const tls = { ...certificates.client, serverCertificatePem: certificates.server.certificatePem };
    await expect(open.connect({ tls }).connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(await open.probe.echo({})).toBeDefined();
  });

  test("where nothing listens, the error says so", async ({ expect }) => {
    const nowhere = pair.openCarrierClient({ address: { network: "unix", path: "/nowhere/at/all" } });
    await fails(
      expect,
      createClient(Probe, nowhere.transport).echo({}),
      Code.Unavailable,
      /cannot connect .* unix \/nowhere\/at\/all: .*ENOENT/,
    );
    await nowhere.close();
    const closed = await listen("tcp");
    await closed[Symbol.asyncDispose]();
    const refused = pair.openCarrierClient({ address: closed.address });
    await fails(
      expect,
      createClient(Probe, refused.transport).echo({}),
      Code.Unavailable,
      /cannot connect .* tcp 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    );
    expect(await refused.closed).toMatchObject({ kind: "refused" });
  });

  test("a peer that says nothing is given up", async ({ expect }) => {
    await using silent = await listen("unix");
    const client = pair.openCarrierClient({ address: silent.address, connectTimeoutMs: 200 });
    await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /no answer within 200 ms/);
  });

  test("a peer that speaks something else is given up", async ({ expect }) => {
    await using other = await listen("unix", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"));
    const client = pair.openCarrierClient({ address: other.address, connectTimeoutMs: 2000 });
    await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /^cannot connect/);
  });
}

function endings(pair: CarrierPair): void {
  test("a server closes within a second, whatever is under way", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const hanging = open.probe.hang({});
    const reading = open.probe.download({ count: 1000, size: 100_000 })[Symbol.asyncIterator]();
    await reading.next();
    hanging.catch(() => {});
    const before = performance.now();
    await open.server.close();
    expect(performance.now() - before).toBeLessThan(1000);
    expect(open.server.sessionCount).toBe(0);
    await fails(expect, hanging, Code.Unavailable, /^lost the connection to the plugin/);
    expect(await open.client.closed).toMatchObject({ kind: "lost", error: { code: "CONNECTION_LOST" } });
    expect(open.log.cancelled).toContain("hang");
  });

  test("a server finishes what it is answering when it closes", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    const answer = open.probe.echo({ answerSize: 100_000 });
    await vi.waitFor(() => expect(open.log.headers).toHaveLength(1));
    await open.server.close();
    expect((await answer).payload).toHaveLength(100_000);
  });

  test("a closed server lets nobody in", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    await open.server.close();
    await expect(open.connect().connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    await open.server.close();
  });

  test("a client closes within a second, and its calls with it", async ({ expect }) => {
    await using open = await openLink(pair);
    const hanging = open.probe.hang({});
    hanging.catch(() => {});
    await open.probe.echo({});
    const before = performance.now();
    await Promise.all([open.client.close(), open.client.close()]);
    expect(performance.now() - before).toBeLessThan(1000);
    await fails(expect, hanging, Code.Unavailable, /was closed at this end/);
    await fails(expect, open.probe.echo({}), Code.Unavailable, /was closed at this end/);
    expect(await open.client.closed).toEqual({ kind: "closed" });
    await vi.waitFor(() => expect(open.ended).toHaveLength(1));
    expect(open.log.cancelled).toEqual(["hang"]);
  });

  test("a client closed before it has connected is closed", async ({ expect }) => {
    await using silent = await listen("unix");
    const client = pair.openCarrierClient({ address: silent.address });
    const call = createClient(Probe, client.transport).echo({});
    call.catch(() => {});
    await client.close();
    expect(await client.closed).toEqual({ kind: "closed" });
    await fails(expect, call, Code.Unavailable, /was closed at this end/);
  });

  test("a server that dies is no cancel, and stays dead", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const hanging = open.probe.hang({});
    const reading = collect(open.probe.download({ count: 1000, size: 100_000 }));
    const uploading = open.probe.upload(endlessChunks());
    for (const call of [hanging, reading, uploading]) call.catch(() => {});
    await sleep(30);
    for (const socket of open.sockets) socket.destroy();
    for (const call of [hanging, reading, uploading]) await fails(expect, call, Code.Unavailable, /^lost the connection to the plugin/);
    await fails(expect, open.probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    const end = await open.client.closed;
    expect(end).toMatchObject({ kind: "lost", error: { name: "ProtocolError", code: "CONNECTION_LOST" } });
    expect(open.sockets).toHaveLength(1);
    // Only a new client makes a new connection.
    expect(await createClient(Probe, open.connect().transport).echo({})).toBeDefined();
  });

  test("a cancel stays a cancel when the server dies over it", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const controller = new AbortController();
    const call = open.probe.hang({}, { signal: controller.signal });
    call.catch(() => {});
    await sleep(20);
    controller.abort();
    for (const socket of open.sockets) socket.destroy();
    await fails(expect, call, Code.Canceled);
  });

  test("sessions say how many calls they completed", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.probe.echo({});
    await open.probe.fail({ text: "counts too" }).catch(() => {});
    const hanging = open.probe.hang({});
    hanging.catch(() => {});
    await sleep(20);
    expect(open.opened.map(({ completedCalls }) => completedCalls)).toEqual([2]);
    expect(open.ended).toEqual([]);
    await open.client.close();
    await vi.waitFor(() => expect(open.ended).toEqual(open.opened));
    expect(open.ended[0]?.completedCalls).toBe(2);
  });

  test("a look at the port is no call", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.client.connected;
    const { path } = open.address as { path: string };
    await new Promise<void>((resolve) =>
      connectNet(path, function looked(this: Socket) {
        this.destroy();
        this.once("close", () => resolve());
      }),
    );
    await vi.waitFor(() => expect(open.server.sessionCount).toBe(1));
    expect(open.ended.every(({ completedCalls }) => completedCalls === 0)).toBe(true);
    expect(await open.probe.echo({})).toBeDefined();
  });
}

/** The call fails with this code and text, and with an error that Connect's users know. */
async function fails(expect: ExpectStatic, call: Promise<unknown>, code: Code, text?: string | RegExp): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  const { code: actual, rawMessage } = error as ConnectError;
  expect(`${Code[actual]}: ${rawMessage}`).toMatch(new RegExp(`^${Code[code]}: `));
  if (typeof text === "string") expect(rawMessage).toBe(text);
  else if (text !== undefined) expect(rawMessage).toMatch(text);
}

async function collect<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const element of elements) all.push(element);
  return all;
}

async function* chunks(count: number, size: number): AsyncGenerator<{ index: number; payload: Uint8Array }> {
  for (let index = 0; index < count; index++) yield { index, payload: new Uint8Array(size) };
}

async function* endlessChunks(): AsyncGenerator<{ payload: Uint8Array }> {
  for (;;) {
    yield { payload: new Uint8Array(1000) };
    await sleep(1);
  }
}
