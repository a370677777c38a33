// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { type CarrierClientOptions, type CarrierEnd } from "../../carrier/carrier.ts";
import { connectionFailure, dial } from "../../carrier/dial.ts";
import { ProtocolError } from "../../error.ts";
import { Connection, type ConnectionListener } from "../frames/connection.ts";
import { errorCode, errorName } from "../frames/frame.ts";
import type { Stream, StreamListener } from "../frames/stream.ts";
import { Violation } from "../frames/violation.ts";

/** How long a peer may take to acknowledge that a connection ends, in milliseconds. */
const grace = 250;

/** A call that wants a stream. */
export interface Caller extends StreamListener {
  /** It has one. Its headers must be sent before this returns. */
  begin(stream: Stream): void;
}

/** One connection to a plugin, dialled once, at the client's end. */
export class ClientLink {
  readonly connected: Promise<void>;
  readonly closed: Promise<CarrierEnd>;
  readonly #options: CarrierClientOptions;
  readonly #socket: Socket;
  readonly #connection: Connection;
  /** Calls that wait for the connection, or for others to end where the server limits how many there may be. */
  readonly #waiting = new Set<Caller>();
  readonly #open = new Set<Caller>();
  #state: "connecting" | "connected" | "closing" = "connecting";
  #lastError: Error | undefined;

  constructor(options: CarrierClientOptions) {
    const { connectTimeoutMs = 20_000 } = options;
    this.#options = options;
    this.#socket = dial(options);
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<CarrierEnd>();
    const timer = setTimeout(() => this.#fail(new Error(`no answer within ${connectTimeoutMs} ms`)), connectTimeoutMs);
    const listener: ConnectionListener = {
      // Not when the socket is connected: with TLS 1.3 a client is through before the server has looked at its certificate.
      ready: () => {
        clearTimeout(timer);
        if (this.#state === "connecting") this.#state = "connected";
        connected.resolve();
        this.#beginWaiting();
      },
      goaway: (code, text) => {
        if (code === errorCode.noError) return;
        this.#fail(new Error(`the peer ended the session with ${errorName(code)}${text === "" ? "" : `: ${text}`}`));
      },
      failed: (error) => {
        this.#lastError ??= error instanceof Violation ? new ProtocolError("HTTP2_VIOLATED", error.message, { cause: error }) : error;
      },
      room: () => {
        if (this.#waiting.size > 0) this.#beginWaiting();
      },
      closed: () => {
        clearTimeout(timer);
        for (const caller of this.#waiting) this.#lose(caller);
        const error = this.failure();
        connected.reject(error);
        if (error.code === "CLOSED") closed.resolve({ kind: "closed" });
        else closed.resolve({ kind: error.code === "CONNECTION_FAILED" ? "refused" : "lost", error });
      },
    };
    this.#connection = new Connection(this.#socket, "client", listener);
    this.connected = connected.promise;
    this.closed = closed.promise;
    // Whoever does not ask will hear it from the first call.
    this.connected.catch(() => {});
  }

  /** Whether nothing can be sent any more. */
  get over(): boolean {
    return this.#connection.over || this.#socket.destroyed;
  }

  /** Why calls cannot go through, once that is so. */
  failure(): ProtocolError {
    return connectionFailure(this.#options, this.#state, this.#lastError);
  }

  /** Gives the caller a stream, now or when there is one; or tells it that it is lost. */
  call(caller: Caller): void {
    if (this.over) caller.lost();
    else if (this.#state === "connected" && this.#waiting.size === 0 && this.#connection.hasRoom) this.#begin(caller);
    else this.#waiting.add(caller);
  }

  /** The caller is done, whether it ever got a stream or not. */
  forget(caller: Caller): void {
    this.#waiting.delete(caller);
    this.#open.delete(caller);
  }

  async close(): Promise<void> {
    if (!this.over) this.#state = "closing";
    for (const caller of [...this.#open, ...this.#waiting]) this.#lose(caller);
    this.#connection.drain();
    const timer = setTimeout(() => this.#socket.destroy(), grace);
    await this.closed;
    clearTimeout(timer);
  }

  #begin(caller: Caller): void {
    const stream = this.#connection.open(caller);
    if (stream === undefined) {
      // Two thousand million calls.
      this.#lastError = new Error("the connection has carried all the calls it can");
      caller.lost();
      return;
    }
    this.#open.add(caller);
    caller.begin(stream);
  }

  #beginWaiting(): void {
    for (const caller of this.#waiting) {
      if (!this.#connection.hasRoom || this.over) return;
      this.#waiting.delete(caller);
      this.#begin(caller);
    }
  }

  #lose(caller: Caller): void {
    this.forget(caller);
    caller.lost();
  }

  #fail(error: Error): void {
    this.#lastError ??= error;
    this.#connection.destroy();
  }
}
