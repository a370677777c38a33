// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import type { CarrierSession } from "../../carrier/carrier.ts";
import { ProtocolError } from "../../error.ts";
import { Connection } from "../frames/connection.ts";
import type { Stream } from "../frames/stream.ts";
import { Violation } from "../frames/violation.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import type { Router } from "./router.ts";
import { refusalFields, refuse, type ServedConnection, ServerCall } from "./server-call.ts";

class Session implements CarrierSession {
  completedCalls = 0;
}

/** One client of a server, and its calls. */
export class ServedClient {
  readonly session: CarrierSession;
  /** Fulfilled when the connection is gone. */
  readonly closed: Promise<void>;
  readonly #connection: Connection;

  constructor(
    socket: Socket,
    {
      router,
      limits,
      onError,
      onClose,
    }: {
      readonly router: Router;
      readonly limits: Omit<ServedConnection, "session">;
      readonly onError: (error: Error) => void;
      readonly onClose: () => void;
    },
  ) {
    const session = new Session();
    const served: ServedConnection = { session, ...limits };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.session = session;
    this.closed = promise;
    this.#connection = new Connection(socket, "server", {
      opened: (stream, headers, last) => openCall(router, served, stream, headers, last),
      failed: (error) => {
        if (error instanceof Violation) onError(new ProtocolError("HTTP2_VIOLATED", error.message, { cause: error }));
        else if (!hasLeft(error)) onError(error);
      },
      closed: () => {
        resolve();
        onClose();
      },
    });
  }

  /** Takes no more calls, and ends when those there are have ended. */
  drain(): void {
    this.#connection.drain();
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

/** Clients end when they are done, and do not wait for what we still write. */
function hasLeft({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "ECONNRESET";
}

function openCall(router: Router, served: ServedConnection, stream: Stream, headers: HeaderList, last: boolean): void {
  const head = router.read(headers);
  switch (head.kind) {
    case "call":
      new ServerCall(served, stream, head.route, headers, head.timeoutMs).start(last);
      return;
    case "refused":
      refuse(served, stream, refusalFields(head.error, head.headers));
      return;
    case "foreign":
      refuse(served, stream, [":status", head.httpStatus]);
      return;
  }
}
