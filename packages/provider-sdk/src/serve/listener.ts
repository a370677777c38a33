// SPDX-License-Identifier: Apache-2.0
import { createServer, type Server, type Socket } from "node:net";
import type { PluginAddress } from "@tenon/protocol/handshake";
import { giveToGroup } from "./socket-group.ts";
import { freePort } from "./port-range.ts";

/** Where a host reaches this provider. Connections that come before {@link Listener.handOver} wait, with what they have said. */
export interface Listener {
  readonly address: PluginAddress;
  /** Gives away every connection, those that wait and those to come. */
  handOver(accept: (socket: Socket) => void): void;
  /** Takes no more connections and removes the socket file. Those handed over are not touched. */
  close(): void;
}

export interface ListenerOptions {
  readonly network: "unix" | "tcp";
  /** Folders for the socket, in order of preference. */
  readonly socketFolders: readonly string[];
  /** Group, by name or number, that may connect too. Default: this user only. */
  readonly socketGroup?: string;
  /** Lowest and highest TCP port; 0 and 0 is any. */
  readonly ports: readonly [number, number];
}

/**
 * The longest path a socket address holds on macOS, without its zero byte; Linux takes four more.
 * Node cuts a longer one off without a word, and the host then dials what is not there.
 */
const maxPathBytes = 103;

/**
 * Listens at a private unix socket, or at a TCP port of this machine only.
 *
 * @throws Error when no address can be had; its message names those tried.
 * @see go-plugin server.go, serverListener
 */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const waiting: Socket[] = [];
  let accept = (socket: Socket): void => {
    // Its owner is yet to come; until then an error without a listener would end the process.
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
      // Closing removes the socket file at once; only the event comes later.
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
  throw new Error(`cannot listen on a unix socket in ${failures.join(", ")}; set TMPDIR to a folder with a short name that can be written`);
}

/** A socket file takes its mode when it is bound, and binding is synchronous: there is no moment when others could connect. */
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
