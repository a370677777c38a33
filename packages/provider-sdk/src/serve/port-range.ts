// SPDX-License-Identifier: Apache-2.0
import type { AddressInfo, Server } from "node:net";
import type { PluginAddress } from "@tenon/protocol/handshake";

/**
 * Parses `PLUGIN_MIN_PORT` and `PLUGIN_MAX_PORT`. Returns 0 and 0, which allow any port, when both are absent.
 *
 * @throws Error with go-plugin's message.
 * @see go-plugin server.go, serverListener_tcp
 */
export function parsePortRange(min: string | undefined, max: string | undefined): readonly [number, number] {
  const low = parsePort("PLUGIN_MIN_PORT", min);
  const high = parsePort("PLUGIN_MAX_PORT", max);
  if (low > high) throw new Error(`PLUGIN_MIN_PORT value of ${low} is greater than PLUGIN_MAX_PORT value of ${high}`);
  return [low, high];
}

/** Listens on the first free port of a range, on the loopback interface. */
export async function freePort(server: Server, [min, max]: readonly [number, number]): Promise<PluginAddress> {
  const host = "127.0.0.1";
  for (let port = min; port <= max; port += 1) {
    if (await bind(server, host, port)) return { network: "tcp", host, port: (server.address() as AddressInfo).port };
  }
  throw new Error(`couldn't bind plugin TCP listener: no port of ${min} to ${max} is free`);
}

function parsePort(variable: string, text: string | undefined): number {
  if (!text) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`couldn't get value from ${variable}: ${JSON.stringify(text)} is not a port number`);
  return port;
}

function bind(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const fail = (): void => resolve(false);
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      resolve(true);
    });
  });
}
