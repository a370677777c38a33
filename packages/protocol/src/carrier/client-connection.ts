// SPDX-License-Identifier: Apache-2.0
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants, type OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { ProtocolError } from "../error.ts";
import { type CarrierClientOptions, type CarrierEnd, windowSize } from "./carrier.ts";
import { connectionFailure, dial } from "./dial.ts";

/** How long a peer may take to acknowledge that a connection ends, in milliseconds. */
const grace = 250;

/** One HTTP/2 connection to a plugin, dialled once. */
export class ClientConnection {
  readonly connected: Promise<void>;
  readonly closed: Promise<CarrierEnd>;
  /** What every request is addressed to; the certificate of a plugin is for this name. */
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
      createConnection: () => this.#socket,
      settings: { initialWindowSize: windowSize.stream, enablePush: false },
      // Node's limit of 10 MB counts what waits to be sent.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.#session.on("error", (error) => this.#fail(error));
    this.#session.on("goaway", (code) => {
      if (code !== constants.NGHTTP2_NO_ERROR) this.#fail(new Error(`the peer ended the session with HTTP/2 error code ${code}`));
    });
    this.#session.once("connect", () => {
      // Node raises the window of a stream only; that of the connection would stay at 64 KiB.
      if (!this.over) this.#session.setLocalWindowSize(windowSize.connection);
    });
    const timer = setTimeout(() => this.#fail(new Error(`no answer within ${connectTimeoutMs} ms`)), connectTimeoutMs);
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<CarrierEnd>();
    // Not `connect`: with TLS 1.3 a client is through before the server has looked at its certificate.
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
    // Whoever does not ask will hear it from the first call.
    this.connected.catch(() => {});
  }

  /** Whether nothing can be sent any more. */
  get over(): boolean {
    return this.#session.destroyed || this.#session.closed;
  }

  /** Why calls cannot go through, once that is so. */
  failure(): ProtocolError {
    return connectionFailure(this.#options, this.#state, this.#lastError);
  }

  /** @throws ProtocolError when there is no connection. */
  async request(method: string, path: string, headers: OutgoingHttpHeaders): Promise<ClientHttp2Stream> {
    if (this.#state === "connecting") await this.connected;
    if (this.over) throw this.failure();
    const stream = this.#session.request({ ...headers, ":method": method, ":path": path });
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    failUnanswered(stream, () => this.failure());
    return stream;
  }

  async close(): Promise<void> {
    if (!this.over) this.#state = "closing";
    for (const stream of this.#streams) stream.close(constants.NGHTTP2_CANCEL);
    this.#session.close();
    const timer = setTimeout(() => this.#socket.destroy(), grace);
    await this.closed;
    clearTimeout(timer);
  }

  /** Ends the connection. It takes the socket: a session waits, after some TLS errors for ever, to get its farewell written. */
  #fail(error: Error): void {
    this.#lastError ??= error;
    this.#socket.destroy();
  }
}

/** A session that ends without an error takes its streams along without one, and connect-node's call would wait for ever. */
function failUnanswered(stream: ClientHttp2Stream, failure: () => ProtocolError): void {
  let answered = false;
  stream.once("response", () => (answered = true));
  stream.once("close", () => {
    if (!answered && stream.rstCode === constants.NGHTTP2_NO_ERROR) stream.emit("error", failure());
  });
}
