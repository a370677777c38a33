// SPDX-License-Identifier: Apache-2.0
/**
 * The reference carrier's server: Connect's own gRPC over `node:http2`.
 *
 * Unbundled, loading it costs what `import "node:http"` costs, 24 ms: connect-node does so at its top level. A bundle leaves it out.
 *
 * @module
 */
import {
  createSecureServer,
  createServer,
  constants,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { Code, createConnectRouter, createContextValues } from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import {
  type CarrierServer,
  type CarrierServerOptions,
  type CarrierSession,
  defaultMaxBytes,
  type ServiceRegistration,
  sessionKey,
  windowSize,
} from "./carrier.ts";
import { withHandlerErrors } from "./handler-error.ts";
import { SessionSet } from "./session-set.ts";

/** What is being answered when a server closes may finish in this time, in milliseconds. */
const grace = 100;

/** Creates a server that listens nowhere: give it sockets with `accept`. */
export function createCarrierServer(options: CarrierServerOptions): CarrierServer {
  const sessions = new SessionSet(options);
  const route = createRoute(options.services, options);
  const server = createHttp2Server(options);
  server.on("session", (session) => {
    // Node raises the window of a stream only; that of the connection would stay at 64 KiB.
    session.setLocalWindowSize(windowSize.connection);
    sessions.add(session);
  });
  server.on("request", (request, response) => {
    const session = sessions.callStarted(response.stream);
    route(request, response, session).catch((error: unknown) => {
      // The client has gone, or taken its call back.
      if (response.stream.closed || response.stream.destroyed) return;
      response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      options.onConnectionError?.(error instanceof Error ? error : new Error(String(error)));
    });
  });
  // A peer that hangs up first when both are ending breaks nothing down.
  let closing = false;
  const report = (error: Error): void => {
    if (!closing) options.onConnectionError?.(error);
  };
  server.on("sessionError", report);
  server.on("tlsClientError", (cause: Error, { authorizationError }: TLSSocket) => {
    const refused = authorizationError && new Error(`a client with another certificate than the host's was refused`, { cause });
    options.onConnectionError?.(refused ?? cause);
  });
  const sockets = new Set<Socket>();
  return {
    accept(socket) {
      if (closing) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      // Before a session has taken the socket over, its errors are nobody's, and an `error` without a listener ends the process.
      socket.on("error", report);
      socket.setNoDelay(true);
      server.emit("connection", socket);
    },
    get sessionCount() {
      return sessions.size;
    },
    async close() {
      closing = true;
      const cutOff = (): void => sockets.forEach((socket) => void socket.destroy());
      const timer = setTimeout(cutOff, grace);
      await sessions.close();
      clearTimeout(timer);
      // Those that had not become sessions yet.
      cutOff();
    },
  };
}

function createHttp2Server({ tls }: CarrierServerOptions): Http2Server {
  const settings = {
    settings: { initialWindowSize: windowSize.stream },
    // Node's limit of 10 MB counts what waits to be sent, and refuses calls while a large answer is under way.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  };
  if (tls === undefined) return createServer(settings);
  return createSecureServer({
    ...settings,
    key: tls.privateKeyPem,
    cert: tls.certificatePem,
    ca: tls.clientCertificatePem,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    allowHTTP1: false,
  });
}

type Route = (request: Http2ServerRequest, response: Http2ServerResponse, session: CarrierSession | undefined) => Promise<void>;

function createRoute(
  services: readonly ServiceRegistration[],
  limits: Pick<CarrierServerOptions, "readMaxBytes" | "writeMaxBytes">,
): Route {
  const router = createConnectRouter({
    connect: false,
    grpcWeb: false,
    // Otherwise every answer above 1 KiB to a Go host, which offers gzip, would be compressed.
    acceptCompression: [],
    readMaxBytes: limits.readMaxBytes ?? defaultMaxBytes,
    writeMaxBytes: limits.writeMaxBytes ?? defaultMaxBytes,
  });
  for (const registered of services) router.service(registered.service, withHandlerErrors(registered));
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return async (request, response, session) => {
    const handler = handlers.get(request.url);
    if (handler === undefined) {
      unimplemented(request, response);
      return;
    }
    // gRPC's C core puts the percent-encoded path of a socket here, and that is no host a URL may have.
    Object.defineProperty(request, "authority", { value: "localhost" });
    const values = createContextValues().set(sessionKey, session);
    const answer = await handler(universalRequestFromNodeRequest(request, response, undefined, values));
    resetWhenAnswered(response.stream);
    await universalResponseToNodeResponse(answer, response);
  };
}

/**
 * Once the answer is out, a client that is still sending (a request beyond the limit, say) shall stop: nobody reads on.
 *
 * @see RFC 9113, section 8.1
 */
function resetWhenAnswered(stream: ServerHttp2Stream): void {
  // The response's own listener came first, so the trailers are on their way.
  stream.once("wantTrailers", () =>
    setImmediate(() => {
      if (stream.readableEnded || stream.destroyed) return;
      stream.close(constants.NGHTTP2_NO_ERROR);
      // What has arrived goes nowhere, but a stream closes only when it has been read.
      stream.removeAllListeners("data").resume();
    }),
  );
}

/** An answer of nothing but a status. A bare 404 would mean the same to a Go client, in worse words. */
function unimplemented(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const message = encodeURIComponent(`nothing is served at ${request.url}`);
  response.writeHead(200, { "content-type": "application/grpc", "grpc-status": `${Code.Unimplemented}`, "grpc-message": message });
  response.end();
  request.resume();
}
