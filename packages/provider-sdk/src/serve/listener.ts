// SPDX-License-Identifier: Apache-2.0
import { createServer, type Server, type Socket } from "node:net";
import type { PluginAddress } from "@tenon/protocol/handshake";
import { giveToGroup } from "./socket-group.ts";
import { freePort } from "./port-range.ts";

/** Socket or port that a host connects to. Connections made before {@link Listener.handOver} wait, and their data is kept. */
export interface Listener {
  /** Address for the handshake line. */
  readonly address: PluginAddress;
  /** Passes every waiting and every future connection to `accept`. */
  handOver(accept: (socket: Socket) => void): void;
  /** Stops accepting connections and removes the socket file. Connections already passed on stay open. */
  close(): void;
}

/** Options of {@link listen}. */
export interface ListenerOptions {
  /** A unix socket, or a TCP port on the loopback interface. */
  readonly network: "unix" | "tcp";
  /** Folders for the socket, in order of preference. */
  readonly socketFolders: readonly string[];
  /** Group, by name or number, that may also connect to the socket. Default: only this user may connect. */
  readonly socketGroup?: string;
  /** Lowest and highest TCP port; 0 and 0 allow any port. */
  readonly ports: readonly [number, number];
}

/**
 * Maximum length of a socket path on macOS, in bytes, without the terminating zero; Linux allows four bytes more.
 * Node silently truncates a longer path, and the host then connects to a socket that does not exist.
 */
const maxPathBytes = 103;

/**
 * Listens on a unix socket that other users cannot connect to, or on a TCP port of the loopback interface.
 *
 * @throws Error when no socket or port is available; its message lists the folders or ports tried.
 * @see go-plugin server.go, serverListener
 */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const waiting: Socket[] = [];
  let accept = (socket: Socket): void => {
    // Until the connection is handed over, an `error` event without a listener would end the process.
    socket.on("error", () => {});
    waiting.push(socket);
  };
  const server = createServer((socket) => accept(socket));
  const address = await (options.network === "unix" ? listenOnSocket(server, options) : freePort(server, options.ports));
  return {
    address,
    handOver(next) {
      accept = next;
      for (const socket of waiting.splice(0)) if (!socket.destroyed) next(socket);
    },
    close() {
      for (const socket of waiting.splice(0)) socket.destroy();
      // close() removes the socket file synchronously; only its event is asynchronous.
      server.close();
    },
  };
}

async function listenOnSocket(server: Server, { socketFolders, socketGroup }: ListenerOptions): Promise<PluginAddress> {
  const failures: string[] = [];
  for (const folder of new Set(socketFolders)) {
    const path = `${folder.replace(/\/+$/, "")}/plugin${process.pid}${Math.random().toString(36).slice(2, 10)}`;
    if (new TextEncoder().encode(path).length > maxPathBytes) {
      failures.push(`${folder} (its path is too long for a socket)`);
      continue;
    }
    try {
      await bindPrivately(server, path);
    } catch (error) {
      failures.push(`${folder} (${(error as Error).message})`);
      continue;
    }
    if (socketGroup) giveToGroup(path, socketGroup);
    return { network: "unix", path };
  }
  throw new Error(`cannot listen on a unix socket in ${failures.join(", ")}; set TMPDIR to a writable folder with a short path`);
}

/** Binds the socket with a restrictive umask. Binding sets the file mode synchronously, so other users can never connect. */
function bindPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(0o077);
    try {
      server.listen(path, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
