// SPDX-License-Identifier: Apache-2.0
/**
 * Server of Tenon's own carrier: gRPC over HTTP/2, without `node:http2`.
 *
 * @module
 */
import type { Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from "node:tls";
import { type CarrierServer, type CarrierServerOptions, type CarrierServerTls, defaultMaxBytes } from "../carrier/carrier.ts";
import { noRenegotiation } from "../carrier/renegotiation.ts";
import { Router } from "./call/router.ts";
import { ServedClient } from "./call/served-client.ts";

/** Time that running calls have to finish when the server closes, in milliseconds. */
const closeGraceMs = 100;

/** Creates a server that does not listen itself: pass sockets to `accept`. */
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
      // When the server is closing, a peer that disconnects first is not an error.
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
    // `close()` may have been called during the TLS handshake.
    if (closing) client.drain();
  };
  const tlsServer = tls && createTls(tls, serve, (error) => options.onConnectionError?.(error));
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
      // The TLS socket reports the same errors; without a listener here, they would end the process.
      socket.on("error", () => {});
      tlsServer.emit("connection", socket);
    },
    get sessionCount() {
      return clients.size;
    },
    async close() {
      closing = true;
      for (const client of clients) client.drain();
      const destroyAll = (): void => {
        for (const client of clients) client.destroy();
        for (const socket of sockets) socket.destroy();
      };
      const timer = setTimeout(destroyAll, closeGraceMs);
      await Promise.all([...clients].map(({ closed }) => closed));
      clearTimeout(timer);
      // Sockets that have not become sessions.
      destroyAll();
    },
  };
}

/** Creates the TLS end of the server: it accepts only clients with the certificate of the host, and HTTP/2 by ALPN. */
function createTls(tls: CarrierServerTls, serve: (socket: Socket) => void, onError: (error: Error) => void): TlsServer {
  const server = createTlsServer({
    key: tls.privateKeyPem,
    cert: tls.certificatePem,
    ca: tls.clientCertificatePem,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    secureOptions: noRenegotiation,
    ALPNProtocols: ["h2"],
  });
  server.on("secureConnection", (socket) => {
    if (socket.alpnProtocol === "h2") {
      serve(socket);
      return;
    }
    onError(new Error("refused a client that does not offer HTTP/2 by ALPN"));
    socket.on("error", () => {});
    socket.destroy();
  });
  server.on("tlsClientError", (cause: Error, { authorizationError }: TLSSocket) => {
    const refused = authorizationError && new Error("refused a client with a certificate other than that of the host", { cause });
    onError(refused ?? cause);
  });
  return server;
}
