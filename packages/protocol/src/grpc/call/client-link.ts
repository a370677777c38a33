// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { type CarrierClientOptions, type CarrierEnd, defaultMaxBytes } from "../../carrier/carrier.ts";
import { connectionFailure, dial } from "../../carrier/dial.ts";
import { ProtocolError } from "../../error.ts";
import { TurnoverSet } from "../../turnover.ts";
import type { ConnectionListener } from "../frames/connection-listener.ts";
import { Connection } from "../frames/connection.ts";
import { errorCode, errorName } from "../frames/frame.ts";
import type { Stream, StreamListener } from "../frames/stream.ts";
import { Violation } from "../frames/violation.ts";

/** Maximum time that the peer may take to close its half of the socket after `close()`, in milliseconds. */
const closeGraceMs = 250;

/** A call that needs a stream. */
export interface Caller extends StreamListener {
  /** Starts the call on a stream. Must send the headers before it returns. */
  begin(stream: Stream): void;
}

/** Client side of one connection to a plugin. It never reconnects. */
export class ClientLink {
  /** Fulfilled when the peer has accepted the connection. */
  readonly connected: Promise<void>;
  /** Fulfilled when the connection has ended. */
  readonly closed: Promise<CarrierEnd>;
  readonly #options: CarrierClientOptions;
  readonly #socket: Socket;
  readonly #connection: Connection;
  /** Calls that wait for the connection, or for the end of other calls because the server limits their number. */
  readonly #waiting = new Set<Caller>();
  readonly #open = new TurnoverSet<Caller>();
  #state: "connecting" | "connected" | "closing" = "connecting";
  #lastError: Error | undefined;

  constructor(options: CarrierClientOptions) {
    const { connectTimeoutMs = 20_000 } = options;
    this.#options = options;
    this.#socket = dial(options);
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<CarrierEnd>();
    const timer = setTimeout(() => this.#fail(new Error(`no response within ${connectTimeoutMs} ms`)), connectTimeoutMs);
    const listener: ConnectionListener = {
      // Not the socket's event `secureConnect`: with TLS 1.3 it precedes the server's check of the client's certificate.
      ready: () => {
        clearTimeout(timer);
        if (this.#state === "connecting") this.#state = "connected";
        connected.resolve();
        this.#beginWaiting();
      },
      goaway: (code, text) => {
        if (code === errorCode.noError) return;
        this.#fail(new Error(`the peer ended the connection with ${errorName(code)}${text === "" ? "" : `: ${text}`}`));
      },
      failed: (error) => {
        this.#lastError ??= error instanceof Violation ? new ProtocolError("HTTP2_VIOLATED", error.message, { cause: error }) : error;
      },
      capacityAvailable: () => {
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
    this.#connection = new Connection(this.#socket, "client", options.readMaxBytes ?? defaultMaxBytes, listener);
    this.connected = connected.promise;
    this.closed = closed.promise;
    // An unhandled rejection must not end the process: calls report the error, too.
    this.connected.catch(() => {});
  }

  /** Whether no further call can start. */
  get over(): boolean {
    return this.#connection.over || this.#socket.destroyed;
  }

  /** Reason why calls fail, once the connection has ended or failed. */
  failure(): ProtocolError {
    return connectionFailure(this.#options, this.#state, this.#lastError);
  }

  /** Begins the call now or when the connection allows it, or notifies the caller that the call is lost. */
  call(caller: Caller): void {
    if (this.over) caller.lost();
    else if (this.#state === "connected" && this.#waiting.size === 0 && this.#connection.canOpenStream) this.#begin(caller);
    else this.#waiting.add(caller);
  }

  /** Removes a call that has ended, whether it had a stream or not. */
  forget(caller: Caller): void {
    this.#waiting.delete(caller);
    this.#open.delete(caller);
  }

  /** Ends all calls, and the connection. */
  async close(): Promise<void> {
    if (!this.over) this.#state = "closing";
    for (const caller of [...this.#open, ...this.#waiting]) this.#lose(caller);
    this.#connection.drain();
    const timer = setTimeout(() => this.#socket.destroy(), closeGraceMs);
    await this.closed;
    clearTimeout(timer);
  }

  #begin(caller: Caller): void {
    const stream = this.#connection.open(caller);
    if (stream === undefined) {
      this.#lastError = new Error("the connection has used all stream identifiers");
      caller.lost();
      return;
    }
    this.#open.add(caller);
    caller.begin(stream);
  }

  #beginWaiting(): void {
    for (const caller of this.#waiting) {
      if (!this.#connection.canOpenStream || this.over) return;
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
