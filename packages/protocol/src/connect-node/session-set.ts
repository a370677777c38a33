// SPDX-License-Identifier: Apache-2.0
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { CarrierServerOptions, CarrierSession } from "../carrier/carrier.ts";

class Session implements CarrierSession {
  completedCalls = 0;
}

/** Open sessions of a server over `node:http2`. */
export class SessionSet {
  readonly #sessions = new Map<ServerHttp2Session, Session>();
  readonly #callbacks: Pick<CarrierServerOptions, "onSessionOpen" | "onSessionClose">;

  constructor(callbacks: Pick<CarrierServerOptions, "onSessionOpen" | "onSessionClose">) {
    this.#callbacks = callbacks;
  }

  /** Number of open sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Adds a session until it ends. */
  add(http2Session: ServerHttp2Session): void {
    const session = new Session();
    this.#sessions.set(http2Session, session);
    http2Session.once("close", () => {
      this.#sessions.delete(http2Session);
      this.#callbacks.onSessionClose?.(session);
    });
    this.#callbacks.onSessionOpen?.(session);
  }

  /** Registers a call, and counts it when its response is complete. Returns its session; undefined when the session has ended. */
  callStarted(stream: ServerHttp2Stream): CarrierSession | undefined {
    const session = this.#sessions.get(stream.session as ServerHttp2Session);
    stream.once("close", () => {
      if (session !== undefined && stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted) session.completedCalls++;
    });
    return session;
  }

  /** Closes each session after its last call. Fulfilled when all have ended; destroying their sockets ends them sooner. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#sessions.keys()].map(async (session) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        session.once("close", resolve);
        session.close();
        await promise;
      }),
    );
  }
}
