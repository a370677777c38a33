// SPDX-License-Identifier: Apache-2.0
import { createServer as createHttp2Server } from "node:http2";
import { connect as connectNet, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, listen, openLink } from "../probe-link.ts";
import { collect, endlessChunks, fails } from "./expectations.ts";

/** Tests of the end of sessions, and of the calls in flight at that time. */
export function endingTests(pair: CarrierPair): void {
  test("a server closes while calls that never end are in flight", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const hanging = open.probe.hang({});
    const reading = open.probe.download({ count: 1000, size: 100_000 })[Symbol.asyncIterator]();
    await reading.next();
    hanging.catch(() => {});
    await open.server.close();
    expect(open.server.sessionCount).toBe(0);
    await fails(expect, hanging, Code.Unavailable, /^lost the connection to the plugin/);
    expect(await open.client.closed).toMatchObject({ kind: "lost", error: { code: "CONNECTION_LOST" } });
    expect(open.log.cancelled).toContain("hang");
  });

  test("a server finishes its responses when it closes", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    const response = open.probe.echo({ answerSize: 100_000 });
    await vi.waitFor(() => expect(open.log.headers).toHaveLength(1), 30_000);
    await open.server.close();
    expect((await response).payload).toHaveLength(100_000);
  });

  test("a closed server accepts no connection", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    await open.server.close();
    await expect(open.connect().connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    await open.server.close();
  });

  test("a client closes while a call that never ends is in flight", async ({ expect }) => {
    await using open = await openLink(pair);
    const hanging = open.probe.hang({});
    hanging.catch(() => {});
    await open.probe.echo({});
    await Promise.all([open.client.close(), open.client.close()]);
    await fails(expect, hanging, Code.Unavailable, /was closed by this client/);
    await fails(expect, open.probe.echo({}), Code.Unavailable, /was closed by this client/);
    expect(await open.client.closed).toEqual({ kind: "closed" });
    await vi.waitFor(() => expect(open.ended).toHaveLength(1), 30_000);
    expect(open.log.cancelled).toEqual(["hang"]);
  });

  test("a client can be closed before it has connected", async ({ expect }) => {
    await using silent = await listen("unix");
    const client = pair.openCarrierClient({ address: silent.address });
    const call = createClient(Probe, client.transport).echo({});
    call.catch(() => {});
    await client.close();
    expect(await client.closed).toEqual({ kind: "closed" });
    await fails(expect, call, Code.Unavailable, /was closed by this client/);
  });

  // Go's servers close connections that send a PING more than once in five minutes.
  test("an idle connection stays open, and sends nothing (pitfall 25)", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.probe.echo({});
    await sleep(100);
    const [socket] = open.sockets;
    const traffic = (): readonly (number | undefined)[] => [socket?.bytesRead, socket?.bytesWritten];
    const before = traffic();
    await sleep(500);
    expect(traffic()).toEqual(before);
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    expect(traffic()).not.toEqual(before);
  });

  test("calls fail with Unavailable when the server is lost, and the client does not reconnect", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const hanging = open.probe.hang({});
    const reading = collect(open.probe.download({ count: 1000, size: 100_000 }));
    const uploading = open.probe.upload(endlessChunks());
    for (const call of [hanging, reading, uploading]) call.catch(() => {});
    await vi.waitFor(() => expect(open.log.started.toSorted()).toEqual(["download", "echo", "hang", "upload"]), 30_000);
    for (const socket of open.sockets) socket.destroy();
    for (const call of [hanging, reading, uploading]) await fails(expect, call, Code.Unavailable, /^lost the connection to the plugin/);
    await fails(expect, open.probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    const end = await open.client.closed;
    expect(end).toMatchObject({ kind: "lost", error: { name: "ProtocolError", code: "CONNECTION_LOST" } });
    expect(open.sockets).toHaveLength(1);
    // Only a new client opens a new connection.
    expect(await createClient(Probe, open.connect().transport).echo({})).toBeDefined();
  });

  test("a cancelled call stays cancelled when the server is lost", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.probe.echo({});
    const controller = new AbortController();
    const call = open.probe.hang({}, { signal: controller.signal });
    call.catch(() => {});
    await vi.waitFor(() => expect(open.log.started).toContain("hang"), 30_000);
    controller.abort();
    for (const socket of open.sockets) socket.destroy();
    await fails(expect, call, Code.Canceled);
  });

  test("sessions count their completed calls", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.probe.echo({});
    await open.probe.fail({ text: "counts too" }).catch(() => {});
    const hanging = open.probe.hang({});
    hanging.catch(() => {});
    await vi.waitFor(() => expect(open.log.started).toContain("hang"), 30_000);
    expect(open.opened.map(({ completedCalls }) => completedCalls)).toEqual([2]);
    expect(open.ended).toEqual([]);
    await open.client.close();
    await vi.waitFor(() => expect(open.ended).toEqual(open.opened), 30_000);
    expect(open.ended[0]?.completedCalls).toBe(2);
  });

  test("a connection without calls has no completed calls", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    await open.client.connected;
    const { path } = open.address as { path: string };
    await new Promise<void>((resolve) =>
      connectNet(path, function disconnect(this: Socket) {
        this.destroy();
        this.once("close", () => resolve());
      }),
    );
    await vi.waitFor(() => expect(open.server.sessionCount).toBe(1), 30_000);
    expect(open.ended.every(({ completedCalls }) => completedCalls === 0)).toBe(true);
    expect(await open.probe.echo({})).toBeDefined();
  });

  test("a call fails when the peer ends its session gracefully before the response", async ({ expect }) => {
    const server = createHttp2Server();
    server.on("stream", (stream) => stream.session?.destroy());
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = pair.openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await fails(expect, probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    expect(await client.closed).toMatchObject({ kind: "lost" });
  });

  test("a call fails when the peer ends its session in the middle of the response", async ({ expect }) => {
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(Buffer.of(0, 0, 0, 0, 2, 8), () => stream.session?.destroy());
    });
    await using listening = await listen("unix", (socket) => void server.emit("connection", socket));
    const client = pair.openCarrierClient({ address: listening.address });
    const probe = createClient(Probe, client.transport);
    await fails(expect, probe.echo({}), Code.Unavailable, /^lost the connection to the plugin/);
    await client.close();
  });
}
