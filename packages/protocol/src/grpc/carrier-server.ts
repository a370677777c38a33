// SPDX-License-Identifier: Apache-2.0
/**
 * Our own carrier's server: gRPC over HTTP/2 frames that it reads and writes itself.
 *
 * @module
 */
import type { Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from "node:tls";
import { type CarrierServer, type CarrierServerOptions, type CarrierServerTls, defaultMaxBytes } from "../carrier/carrier.ts";
import { Router } from "./call/router.ts";
import { ServedClient } from "./call/served-client.ts";

/** What is being answered when a server closes may finish in this time, in milliseconds. */
const grace = 100;

/** Creates a server that listens nowhere: give it sockets with `accept`. */
export function createCarrierServer(options: CarrierServerOptions): CarrierServer {
  const { tls, readMaxBytes = defaultMaxBytes, writeMaxBytes = defaultMaxBytes } = options;
  const router = new Router(options.services);
  const sockets = new Set<Socket>();
  const clients = new Set<ServedClient>();
  let closing = false;
  const serve = (socket: Socket): void => {
    const client = new ServedClient(socket, {
      router,
      limits: { readMaxBytes, writeMaxBytes },
      // A peer that hangs up first when both are ending breaks nothing down.
      onError: (error) => {
        if (!closing) options.onConnectionError?.(error);
      },
      onClose() {
        clients.delete(client);
        options.onSessionClose?.(client.session);
      },
    });
    clients.add(client);
    options.onSessionOpen?.(client.session);
    // Between its handshake and now, the end may have begun.
    if (closing) client.drain();
  };
  const tlsServer = tls && createServerSide(tls, serve, (error) => options.onConnectionError?.(error));
  return {
    accept(socket) {
      if (closing) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.setNoDelay(true);
      if (tlsServer === undefined) {
        serve(socket);
        socket.resume();
        return;
      }
      // Its errors are those of the TLS socket on top, but an `error` without a listener ends the process.
      socket.on("error", () => {});
      tlsServer.emit("connection", socket);
    },
    get sessionCount() {
      return clients.size;
    },
    async close() {
      closing = true;
      for (const client of clients) client.drain();
      const cutOff = (): void => {
        for (const client of clients) client.destroy();
        for (const socket of sockets) socket.destroy();
      };
      const timer = setTimeout(cutOff, grace);
      await Promise.all([...clients].map(({ closed }) => closed));
      clearTimeout(timer);
      // Those that had not become sessions yet.
      cutOff();
    },
  };
}

/** Lets in the one client that has the certificate agreed on, and who speaks HTTP/2. */
function createServerSide(tls: CarrierServerTls, serve: (socket: Socket) => void, onError: (error: Error) => void): TlsServer {
  const server = createTlsServer({
    key: tls.privateKeyPem,
    cert: tls.certificatePem,
    ca: tls.clientCertificatePem,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ALPNProtocols: ["h2"],
  });
  server.on("secureConnection", (socket) => {
    if (socket.alpnProtocol === "h2") {
      serve(socket);
      return;
    }
    onError(new Error("a client that does not offer HTTP/2 by ALPN was refused"));
    socket.on("error", () => {});
    socket.destroy();
  });
  server.on("tlsClientError", (cause: Error, { authorizationError }: TLSSocket) => {
    const refused = authorizationError && new Error("a client with another certificate than the host's was refused", { cause });
    onError(refused ?? cause);
  });
  return server;
}
