// SPDX-License-Identifier: Apache-2.0
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
} from "../carrier/carrier.ts";
import { withHandlerErrors } from "../carrier/handler-error.ts";
import { quoted } from "../carrier/quoted.ts";
import { noRenegotiation } from "../carrier/renegotiation.ts";
import { SessionSet } from "./session-set.ts";
import { withStructMaps } from "./struct-map-service.ts";

/** Time that running calls have to finish when the server closes, in milliseconds. */
const closeGraceMs = 100;

/** Creates a server over connect-node that does not listen itself: pass sockets to `accept`. */
export function createCarrierServer(options: CarrierServerOptions): CarrierServer {
  const sessions = new SessionSet(options);
  const route = createRoute(options.services, options);
  const server = createHttp2Server(options);
  server.on("session", (session) => {
    // Node's settings change the windows of streams only; that of the connection would stay at 64 KiB.
    session.setLocalWindowSize(windowSize.connection);
    sessions.add(session);
  });
  server.on("request", (request, response) => {
    const session = sessions.callStarted(response.stream);
    route(request, response, session).catch((error: unknown) => {
      // The client has disconnected, or cancelled the call.
      if (response.stream.closed || response.stream.destroyed) return;
      response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      options.onConnectionError?.(error instanceof Error ? error : new Error(String(error)));
    });
  });
  // When the server is closing, a peer that disconnects first is not an error.
  let closing = false;
  const report = (error: Error): void => {
    if (!closing) options.onConnectionError?.(error);
  };
  server.on("sessionError", report);
  server.on("tlsClientError", (cause: Error, { authorizationError }: TLSSocket) => {
    const refused = authorizationError && new Error("refused a client with a certificate other than that of the host", { cause });
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
      // No session handles the errors of the socket yet, and an unhandled error would end the process.
      socket.on("error", report);
      socket.setNoDelay(true);
      server.emit("connection", socket);
    },
    get sessionCount() {
      return sessions.size;
    },
    async close() {
      closing = true;
      const destroyAll = (): void => sockets.forEach((socket) => void socket.destroy());
      const timer = setTimeout(destroyAll, closeGraceMs);
      await sessions.close();
      clearTimeout(timer);
      // Some sockets may not have become sessions.
      destroyAll();
    },
  };
}

function createHttp2Server({ tls }: CarrierServerOptions): Http2Server {
  const settings = {
    settings: { initialWindowSize: windowSize.stream },
    // Node's limit of 10 MB includes unsent data, and refuses calls while a large response is being sent.
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
    secureOptions: noRenegotiation,
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
    // Go hosts offer gzip; every response above 1 KiB would be compressed.
    acceptCompression: [],
    readMaxBytes: limits.readMaxBytes ?? defaultMaxBytes,
    writeMaxBytes: limits.writeMaxBytes ?? defaultMaxBytes,
  });
  for (const registered of services) router.service(registered.service, withHandlerErrors(withStructMaps(registered)));
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return async (request, response, session) => {
    const handler = handlers.get(request.url);
    if (handler === undefined) {
      respondUnimplemented(request, response);
      return;
    }
    // gRPC's C core sends the percent-encoded path of the socket, which is not a valid host of a URL.
    Object.defineProperty(request, "authority", { value: "localhost" });
    const values = createContextValues().set(sessionKey, session);
    const universalResponse = await handler(universalRequestFromNodeRequest(request, response, undefined, values));
    resetWhenAnswered(response.stream);
    await universalResponseToNodeResponse(universalResponse, response);
  };
}

/**
 * Resets the stream after the response when the client is still sending, as with a request above the limit: nothing reads the rest of it.
 *
 * @see RFC 9113, section 8.1
 */
function resetWhenAnswered(stream: ServerHttp2Stream): void {
  // The listener of the response ran first, so the trailers have been sent.
  stream.once("wantTrailers", () =>
    setImmediate(() => {
      if (stream.readableEnded || stream.destroyed) return;
      stream.close(constants.NGHTTP2_NO_ERROR);
      // A stream closes only after its data has been read.
      stream.removeAllListeners("data").resume();
    }),
  );
}

/** Responds with the status `Unimplemented`. A Go client would report an HTTP 404 with the same code and a less useful text. */
function respondUnimplemented(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const message = encodeURIComponent(`the server has no method ${quoted(request.url)}`);
  response.writeHead(200, { "content-type": "application/grpc", "grpc-status": `${Code.Unimplemented}`, "grpc-message": message });
  response.end();
  request.resume();
}
