// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectNet } from "node:net";
import { connect as connectTls } from "node:tls";
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, certificates, listen, openLink } from "../probe-link.ts";
import { fails } from "./expectations.ts";

/** Tests of accepted and refused connections. */
export function admissionTests(pair: CarrierPair): void {
  test("the server accepts only the host", async ({ expect }) => {
    await using open = await openLink(pair);
    const refused = async (client: ReturnType<typeof open.connect>): Promise<void> => {
      await expect(client.connected).rejects.toMatchObject({ name: "ProtocolError", code: "CONNECTION_FAILED" });
      await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /^cannot connect to the plugin at unix /);
      expect(await client.closed).toMatchObject({ kind: "refused", error: { code: "CONNECTION_FAILED" } });
    };
    const serverCertificatePem = certificates.server.certificatePem;
    await refused(open.connect({ tls: { ...certificates.unrelated, serverCertificatePem } }));
    await refused(open.connect({ tls: { certificatePem: "", privateKeyPem: "", serverCertificatePem } }));
    // A client without TLS.
    await refused(pair.openCarrierClient({ address: open.address }));
    expect(open.connectionErrors.length).toBeGreaterThan(0);
    expect(open.log.headers).toEqual([]);
    // The host is still accepted.
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
  });

  test("the client rejects a server with another certificate than that of its handshake line", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    const client = open.connect({ tls: { ...certificates.client, serverCertificatePem: certificates.unrelated.certificatePem } });
    await expect(client.connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(open.opened).toHaveLength(1);
  });

  test("a client with TLS rejects a server without TLS", async ({ expect }) => {
    await using open = await openLink(pair, { secure: false });
    const tls = { ...certificates.client, serverCertificatePem: certificates.server.certificatePem };
    await expect(open.connect({ tls }).connected).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(await open.probe.echo({})).toBeDefined();
  });

  test("the error names an address where no server listens", async ({ expect }) => {
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

  test("the connection times out when the peer sends nothing", async ({ expect }) => {
    await using silent = await listen("unix");
    const client = pair.openCarrierClient({ address: silent.address, connectTimeoutMs: 200 });
    await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /no response within 200 ms/);
  });

  test("the client rejects a peer with another protocol", async ({ expect }) => {
    await using other = await listen("unix", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"));
    const client = pair.openCarrierClient({ address: other.address, connectTimeoutMs: 2000 });
    await fails(expect, createClient(Probe, client.transport).echo({}), Code.Unavailable, /^cannot connect/);
  });

  test("the server refuses renegotiation of TLS 1.2", async ({ expect }) => {
    await using open = await openLink(pair);
    const { certificatePem: cert, privateKeyPem: key } = certificates.client;
    const { path } = open.address as { path: string };
    const tls = { servername: "localhost", ALPNProtocols: ["h2"], ca: certificates.server.certificatePem, cert, key };
    const socket = connectTls({ path, ...tls, maxVersion: "TLSv1.2" });
    await once(socket, "secureConnect");
    expect(socket.getProtocol()).toBe("TLSv1.2");
    socket.resume();
    const outcome = new Promise((resolve) => {
      socket.on("error", resolve);
      socket.once("close", () => resolve(new Error("closed")));
      socket.renegotiate({}, (error) => resolve(error ?? "renegotiated"));
    });
    expect(await outcome).toBeInstanceOf(Error);
    socket.destroy();
    expect(await open.probe.echo({})).toBeDefined();
  });

  test("random bytes on a connection affect no other connection", async ({ expect }) => {
    for (const secure of [true, false]) {
      await using open = await openLink(pair, { secure });
      const { path } = open.address as { path: string };
      const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      const noise = Array.from({ length: 60 }, (_, round) => {
        const bytes = Buffer.from(randomBytes(round * 7));
        // Every second round starts with a valid preface and SETTINGS.
        return round % 2 === 0 ? bytes : Buffer.concat([preface, Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]), bytes]);
      });
      await Promise.all(
        noise.map(async (bytes) => {
          const socket = connectNet(path);
          socket.on("error", () => {});
          socket.end(bytes);
          await once(socket.resume(), "close");
        }),
      );
      expect(await open.probe.echo({ payload: Uint8Array.of(1) })).toMatchObject({ payload: Uint8Array.of(1) });
      await vi.waitFor(() => expect(open.server.sessionCount).toBe(1), 30_000);
    }
  });
}
