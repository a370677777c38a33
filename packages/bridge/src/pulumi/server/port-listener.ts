// SPDX-License-Identifier: Apache-2.0
import { writeSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** The port to which engines connect. Connections wait until {@link PortListener.handOver}, without loss of data. */
export interface PortListener {
  readonly port: number;
  /** Passes all waiting and all future connections to `accept`. */
  handOver(accept: (socket: Socket) => void): void;
  /** Stops accepting connections. */
  close(): void;
}

/** Listens on a free port of the loopback interface. Loads only Node's own modules, so that the engine does not wait long. */
export async function listenOnLoopback(): Promise<PortListener> {
  const waiting: Socket[] = [];
  let accept = (socket: Socket): void => {
    // Until the connection is handed over, an `error` event without a listener would end the process.
    socket.on("error", () => {});
    waiting.push(socket);
  };
  const server = createServer((socket) => accept(socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handOver(next) {
      accept = next;
      for (const socket of waiting.splice(0)) if (!socket.destroyed) next(socket);
    },
    close() {
      for (const socket of waiting.splice(0)) socket.destroy();
      server.close();
    },
  };
}

/** Environment variable of the launcher of a packaged plugin, which redirects standard output: the file descriptor of the original output. */
const outputVariable = "TENON_HANDSHAKE_FD";

/** Prints the port as the first line of the output that the engine reads. No output of a preloaded module may come before it. */
export function printPort(port: number): void {
  const text = process.env[outputVariable];
  // Processes of providers must not inherit the variable.
  delete process.env[outputVariable];
  writeSync(text !== undefined && /^[3-9]$/.test(text) ? Number(text) : 1, `${port}\n`);
}
