// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { CarrierClient, OpenCarrierClient } from "@tenon/protocol/carrier";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { magicCookie, parseHandshakeLine, pluginVariables } from "@tenon/protocol/handshake";

/** A plugin that runs, with a bare connection to it. */
export interface LaunchedPlugin extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Exit code and signal. */
  readonly exited: Promise<unknown[]>;
  readonly client: CarrierClient;
  readonly protocolVersion: number;
  /** Opens one more connection. */
  connect(): CarrierClient;
}

/**
 * Starts a plugin as a host does, and connects to it.
 *
 * @param onLine gets each line that it writes to standard error. Default: nobody.
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
