// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { CarrierClient, OpenCarrierClient } from "@tenon/protocol/carrier";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { magicCookie, parseHandshakeLine, pluginVariables } from "@tenon/protocol/handshake";

/** Starts a plugin and connects a carrier's client to it, without the plugin host. */
export async function connectPlugin(
  open: OpenCarrierClient,
  [command, ...args]: readonly string[],
): Promise<{ readonly client: CarrierClient; readonly end: () => Promise<void> }> {
  const certificate = createCertificate();
  const child = spawn(command!, args, {
    env: {
      ...process.env,
      [magicCookie.variable]: magicCookie.value,
      [pluginVariables.protocolVersions]: "6",
      [pluginVariables.clientCertificate]: certificate.certificatePem,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { address, certificate: announced } = parseHandshakeLine(line);
  const client = open({ address, tls: { ...certificate, serverCertificatePem: certificateToPem(announced!) } });
  const end = async (): Promise<void> => {
    await client.close();
    child.kill("SIGKILL");
  };
  return { client, end };
}
