// SPDX-License-Identifier: Apache-2.0
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants, type OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { ProtocolError } from "../error.ts";
import { type CarrierClientOptions, type CarrierEnd, windowSize } from "../carrier/carrier.ts";
import { connectionFailure, dial } from "../carrier/dial.ts";

/** Maximum time that the peer may take to close its half of the socket after `close()`, in milliseconds. */
const closeGraceMs = 250;

/** One HTTP/2 connection to a plugin. It never reconnects. */
export class ClientConnection {
  /** Fulfilled when the peer has accepted the connection. */
  readonly connected: Promise<void>;
  /** Fulfilled when the connection has ended. */
  readonly closed: Promise<CarrierEnd>;
  /** Authority of every request; the certificate of a plugin is issued for this name. */
  readonly authority: string;
  readonly #options: CarrierClientOptions;
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #streams = new Set<ClientHttp2Stream>();
  #state: "connecting" | "connected" | "closing" = "connecting";
  #lastError: Error | undefined;

  constructor(options: CarrierClientOptions) {
    const { tls, connectTimeoutMs = 20_000 } = options;
    this.#options = options;
    this.authority = tls === undefined ? "http://localhost" : "https://localhost";
    this.#socket = dial(options);
    this.#socket.on("error", (error) => this.#fail(error));
    this.#session = connectHttp2(this.authority, {
      createConnection: () => duplexOver(this.#socket),
      settings: { initialWindowSize: windowSize.stream, enablePush: false },
      // Node's limit of 10 MB includes unsent data.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.#session.on("error", (error) => this.#fail(error));
    this.#session.on("goaway", (code) => {
      if (code !== constants.NGHTTP2_NO_ERROR) this.#fail(new Error(`the peer ended the connection with HTTP/2 error code ${code}`));
    });
    this.#session.once("connect", () => {
      // Node's settings change the windows of streams only; that of the connection would stay at 64 KiB.
      if (!this.over) this.#session.setLocalWindowSize(windowSize.connection);
    });
    const timer = setTimeout(() => this.#fail(new Error(`no response within ${connectTimeoutMs} ms`)), connectTimeoutMs);
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<CarrierEnd>();
    // Not the event `connect`: with TLS 1.3 it precedes the server's check of the client's certificate.
    this.#session.once("remoteSettings", () => {
      clearTimeout(timer);
      if (this.#state === "connecting") this.#state = "connected";
      connected.resolve();
    });
    this.#session.once("close", () => {
      clearTimeout(timer);
      const error = this.failure();
      connected.reject(error);
      if (error.code === "CLOSED") closed.resolve({ kind: "closed" });
      else closed.resolve({ kind: error.code === "CONNECTION_FAILED" ? "refused" : "lost", error });
    });
    this.connected = connected.promise;
    this.closed = closed.promise;
    // An unhandled rejection must not end the process: calls report the error, too.
    this.connected.catch(() => {});
  }

  /** Whether no further call can start. */
  get over(): boolean {
    return this.#session.destroyed || this.#session.closed;
  }

  /** Reason why calls fail, once the connection has ended or failed. */
  failure(): ProtocolError {
    return connectionFailure(this.#options, this.#state, this.#lastError);
  }

  /** Starts a request. @throws ProtocolError when there is no connection. */
  async request(method: string, path: string, headers: OutgoingHttpHeaders): Promise<ClientHttp2Stream> {
    if (this.#state === "connecting") await this.connected;
    if (this.over) throw this.failure();
    const stream = this.#session.request({ ...headers, ":method": method, ":path": path });
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    failWithoutResponse(stream, () => this.failure());
    return stream;
  }

  /** Cancels all requests, and closes the connection. */
  async close(): Promise<void> {
    if (!this.over) this.#state = "closing";
    for (const stream of this.#streams) stream.close(constants.NGHTTP2_CANCEL);
    this.#session.close();
    const timer = setTimeout(() => this.#socket.destroy(), closeGraceMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** Destroys the socket: a session would wait until its GOAWAY is written, which never happens after some TLS errors. */
  #fail(error: Error): void {
    this.#lastError ??= error;
    this.#socket.destroy();
  }
}

/** Fails a stream whose session ends without an error before the response; otherwise connect-node's call would wait forever. */
function failWithoutResponse(stream: ClientHttp2Stream, failure: () => ProtocolError): void {
  let hasResponse = false;
  stream.once("response", () => (hasResponse = true));
  stream.once("close", () => {
    if (!hasResponse && stream.rstCode === constants.NGHTTP2_NO_ERROR) stream.emit("error", failure());
  });
}

/**
 * Returns a duplex stream over the socket, whose writes end at once.
 *
 * Node's HTTP/2 session does not read while it waits for the end of a write. Two such sessions that write to each other could wait forever,
 * and the loss of the peer would not be noticed. The data that waits in the socket is limited by the windows of the peer's flow control.
 */
function duplexOver(socket: Socket): Duplex {
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write(chunk: Uint8Array, _encoding, done) {
      socket.write(chunk);
      done();
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk) => {
    if (!duplex.push(chunk)) socket.pause();
  });
  socket.once("end", () => duplex.push(null));
  socket.once("close", () => duplex.destroy());
  return duplex;
}
