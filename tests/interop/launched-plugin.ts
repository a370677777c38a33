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
}

/** Starts a plugin as a host does, and connects to it. */
export async function launchPlugin(open: OpenCarrierClient, [command, ...args]: readonly string[], tls: boolean): Promise<LaunchedPlugin> {
  const own = createCertificate();
  const child = spawn(command!, args, {
    env: {
      ...process.env,
      [magicCookie.variable]: magicCookie.value,
      [pluginVariables.protocolVersions]: "6,5",
      ...(tls ? { [pluginVariables.clientCertificate]: own.certificatePem } : {}),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { address, certificate, protocolVersion } = parseHandshakeLine(line);
  const client = open({ address, ...(certificate ? { tls: { ...own, serverCertificatePem: certificateToPem(certificate) } } : {}) });
  return {
    process: child,
    exited,
    client,
    protocolVersion,
    async [Symbol.asyncDispose]() {
      await client.close();
      child.kill("SIGKILL");
    },
  };
}
