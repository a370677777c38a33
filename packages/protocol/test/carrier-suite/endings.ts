// SPDX-License-Identifier: Apache-2.0
import { createServer as createHttp2Server } from "node:http2";
import { connect as connectNet, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, listen, openLink } from "../probe-link.ts";
import { collect, endlessChunks, fails } from "./expectations.ts";

/** How sessions end, and what becomes of their calls. */
export function endingTests(pair: CarrierPair): void {
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

  // Go's servers hang up on who pings them more than once in five minutes.
  test("a connection that nobody uses stays, and is silent (pitfall 25)", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.probe.echo({});
    await sleep(100);
    const [socket] = open.sockets;
    const said = (): readonly (number | undefined)[] => [socket?.bytesRead, socket?.bytesWritten];
    const before = said();
    await sleep(500);
    expect(said()).toEqual(before);
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    expect(said()).not.toEqual(before);
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

  test("a peer that ends its session in good order has answered nothing", async ({ expect }) => {
    const server = createHttp2Server();
    server.on("stream", (stream) => stream.session?.destroy());
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = pair.openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await fails(expect, probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    expect(await client.closed).toMatchObject({ kind: "lost" });
  });

  test("a peer that ends its session half way has not answered either", async ({ expect }) => {
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(Buffer.of(0, 0, 0, 0, 2, 8));
      setTimeout(() => stream.session?.destroy(), 20);
    });
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = pair.openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await fails(expect, probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    await client.close();
  });
}
