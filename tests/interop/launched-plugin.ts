// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { CarrierClient, OpenCarrierClient } from "@tenon/protocol/carrier";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { magicCookie, parseHandshakeLine, pluginVariables } from "@tenon/protocol/handshake";

/** A running plugin, with a connection of a carrier's client. */
export interface LaunchedPlugin extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Resolves with exit code and signal. */
  readonly exited: Promise<unknown[]>;
  readonly client: CarrierClient;
  readonly protocolVersion: number;
  /** Opens another connection. */
  connect(): CarrierClient;
}

/**
 * Launches a plugin as a host does, and connects to it.
 *
 * @param onLine - called with each line of the plugin's standard error. Default: standard error is ignored.
 */
export async function launchPlugin(
  open: OpenCarrierClient,
  [command, ...args]: readonly string[],
  tls: boolean,
  onLine?: (line: string) => void,
): Promise<LaunchedPlugin> {
  const own = createCertificate();
  const child = spawn(command!, args, {
    env: {
      ...process.env,
      [magicCookie.variable]: magicCookie.value,
      [pluginVariables.protocolVersions]: "6,5",
      ...(tls ? { [pluginVariables.clientCertificate]: own.certificatePem } : {}),
    },
    stdio: ["ignore", "pipe", onLine === undefined ? "ignore" : "pipe"],
  });
  const exited = once(child, "exit");
  if (onLine !== undefined) createInterface(child.stderr!).on("line", onLine);
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  const { address, certificate, protocolVersion } = parseHandshakeLine(line);
  const clients: CarrierClient[] = [];
  const connect = (): CarrierClient => {
    const client = open({ address, ...(certificate ? { tls: { ...own, serverCertificatePem: certificateToPem(certificate) } } : {}) });
    clients.push(client);
    return client;
  };
  return {
    process: child,
    exited,
    client: connect(),
    connect,
    protocolVersion,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      child.kill("SIGKILL");
    },
  };
}
