// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import type { CarrierSession } from "../../carrier/carrier.ts";
import { ProtocolError } from "../../error.ts";
import { Connection } from "../frames/connection.ts";
import type { Stream } from "../frames/stream.ts";
import { Violation } from "../frames/violation.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { refuseCall, refuseRequest } from "./refused-request.ts";
import type { Router } from "./router.ts";
import { type ServedConnection, ServerCall } from "./server-call.ts";

class Session implements CarrierSession {
  completedCalls = 0;
}

/** Options of a {@link ServedClient}. */
export interface ServedClientOptions {
  readonly router: Router;
  readonly limits: Omit<ServedConnection, "session">;
  /** Called when the connection ends because of an error. */
  readonly onError: (error: Error) => void;
  /** Called when the connection has ended. */
  readonly onClose: () => void;
}

/** One client of a server: its connection and its calls. */
export class ServedClient {
  readonly session: CarrierSession;
  /** Fulfilled when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #connection: Connection;

  constructor(socket: Socket, { router, limits, onError, onClose }: ServedClientOptions) {
    const session = new Session();
    const served: ServedConnection = { session, ...limits };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.session = session;
    this.closed = promise;
    this.#connection = new Connection(socket, "server", limits.readMaxBytes, {
      opened: (stream, headers, last) => openCall(router, served, stream, headers, last),
      failed: (error) => {
        if (error instanceof Violation) onError(new ProtocolError("HTTP2_VIOLATED", error.message, { cause: error }));
        else if (!isDisconnect(error)) onError(error);
      },
      closed: () => {
        resolve();
        onClose();
      },
    });
  }

  /** Accepts no more calls, and ends the connection after the last one. */
  drain(): void {
    this.#connection.drain();
  }

  /** Ends the connection immediately. */
  destroy(): void {
    this.#connection.destroy();
  }
}

/** Whether the client disconnected while the server was still writing, as clients do after their last call. */
function isDisconnect({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "ECONNRESET";
}

function openCall(router: Router, served: ServedConnection, stream: Stream, headers: HeaderList, last: boolean): void {
  const head = router.read(headers);
  switch (head.kind) {
    case "call":
      new ServerCall(served, stream, head.route, headers, head.timeoutMs).start(last);
      return;
    case "refused":
      refuseCall(served, stream, head.error, head.headers);
      return;
    case "not-grpc":
      refuseRequest(served, stream, head.httpStatus, last);
      return;
  }
}
