// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import { connect as connectNet } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { windowSize } from "../../src/carrier/carrier.ts";
import { cancellableStream } from "../../src/carrier/cancellable-stream.ts";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, listen, openLink } from "../probe-link.ts";
import { fails, MB } from "./expectations.ts";

/** Tests of large messages, slow readers and limits. */
export function flowTests(pair: CarrierPair): void {
  test("no call is refused while 30 MB wait to be sent (pitfall 18)", async ({ expect }) => {
    await using open = await openLink(pair);
    const big = open.probe.echo({ answerSize: 30 * MB });
    const small = Array.from({ length: 20 }, async (_, index) => {
      await sleep(index);
      return open.probe.echo({ payload: Uint8Array.of(1) });
    });
    expect(await Promise.all(small)).toHaveLength(20);
    expect((await big).payload).toHaveLength(30 * MB);
  });

  test("a slow reader slows its sender down, and no other call (pitfall 20)", async ({ expect }) => {
    await using open = await openLink(pair);
    const elements = open.probe.download({ count: 400, size: 100_000 })[Symbol.asyncIterator]();
    for (let read = 0; read < 3; read++) await elements.next();
    await sleep(300);
    // The server has sent no more than the window of one stream and the buffers hold, instead of 40 MB.
    expect(open.log.sent.length).toBeLessThan(200);
    expect((await open.probe.echo({ payload: new Uint8Array(MB) })).payload).toHaveLength(MB);
    let rest = 0;
    while (!(await elements.next()).done) rest++;
    expect(rest).toBe(397);
  });

  test("a message above a limit fails its call, and the connection continues", async ({ expect }) => {
    await using open = await openLink(pair, { server: { readMaxBytes: MB, writeMaxBytes: MB } });
    // The refused messages are together much larger than the window of the connection, and must not fill it.
    for (let round = 0; round < 4; round++) {
      await fails(expect, open.probe.echo({ payload: new Uint8Array(10 * MB) }), Code.ResourceExhausted);
      await fails(expect, open.probe.echo({ answerSize: 2 * MB }), Code.ResourceExhausted);
    }
    // Calls whose response precedes the end of the request have ended, too.
    await vi.waitFor(() => expect(open.opened[0]?.completedCalls).toBe(8), 30_000);
    const small = createClient(Probe, open.connect({ readMaxBytes: 1000, writeMaxBytes: 1000 }).transport);
    await fails(expect, small.echo({ payload: new Uint8Array(2000) }), Code.ResourceExhausted);
    for (let round = 0; round < 30; round++) await fails(expect, small.echo({ answerSize: MB - 100 }), Code.ResourceExhausted);
    expect((await small.echo({ payload: new Uint8Array(100) })).payload).toHaveLength(100);
    expect((await open.probe.echo({ answerSize: MB - 100 })).payload).toHaveLength(MB - 100);
  });

  test("breaking out of a cancellable stream cancels the call", async ({ expect }) => {
    await using open = await openLink(pair);
    for await (const { index } of cancellableStream((signal) => open.probe.download({ count: 1000, size: 100_000 }, { signal }))) {
      if (index === 2) break;
    }
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["download"]), 30_000);
    expect(open.log.sent.length).toBeLessThan(1000);
  });

  test("the window of a connection is larger than that of a stream, in the client and the server", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    const { path } = open.address as { path: string };
    const client = connectHttp2("http://localhost", { createConnection: () => connectNet(path) });
    await once(client, "remoteSettings");
    await vi.waitFor(() => expect(client.state.remoteWindowSize).toBe(windowSize.connection), 30_000);
    expect(client.remoteSettings.initialWindowSize).toBe(windowSize.stream);
    client.destroy();

    const server = createHttp2Server();
    const sessions: ServerHttp2Session[] = [];
    server.on("session", (session) => sessions.push(session));
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const carrier = pair.openCarrierClient({ address: listening.address });
    await carrier.connected;
    await vi.waitFor(() => expect(sessions[0]?.state.remoteWindowSize).toBe(windowSize.connection), 30_000);
    expect(sessions[0]?.remoteSettings.initialWindowSize).toBe(windowSize.stream);
    await carrier.close();
  });
}
