// SPDX-License-Identifier: Apache-2.0
// A provider without logic, served by one of the two carriers: `node carrier-plugin.ts own|connect-node`. All plans get one response.
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registration } from "@tenon/protocol/carrier";
import { createCertificate } from "@tenon/protocol/certificate";
import { formatHandshakeLine, pluginVariables } from "@tenon/protocol/handshake";
import { controllerService } from "@tenon/protocol/plugin-services";
import { Provider } from "@tenon/protocol/tfplugin6";
import { planAnswer } from "./carrier-messages.ts";

const { createCarrierServer } =
  process.argv[2] === "own" ? await import("@tenon/protocol/carrier/server") : await import("@tenon/protocol/carrier/connect-node-server");
const clientCertificatePem = process.env[pluginVariables.clientCertificate];
const own = createCertificate();
const server = createCarrierServer({
  ...(clientCertificatePem === undefined ? {} : { tls: { ...own, clientCertificatePem } }),
  services: [
    registration(Provider, { getProviderSchema: () => ({}), planResourceChange: () => planAnswer }),
    controllerService(() => process.exit(0)),
  ],
});
const path = join(tmpdir(), `carrier-plugin-${process.pid}`);
const listener = createServer((socket) => server.accept(socket));
process.on("exit", () => listener.close());
listener.listen(path, () => {
  process.stdout.write(
    formatHandshakeLine({
      coreVersion: 1,
      protocolVersion: 6,
      address: { network: "unix", path },
      ...(clientCertificatePem === undefined ? {} : { certificate: own.certificateDer }),
    }),
  );
});
