// SPDX-License-Identifier: Apache-2.0
// A minimal plugin on protocol alone: it implements GetProviderSchema, PlanResourceChange and Shutdown. Real hosts launch it. With the
// argument `own` it serves with our own carrier, otherwise with connect-node.
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registration } from "@tenon/protocol/carrier";
import { createCertificate } from "@tenon/protocol/certificate";
import { formatHandshakeLine, hasMagicCookie, negotiateProtocolVersion, pluginVariables } from "@tenon/protocol/handshake";
import { formatLogLine } from "@tenon/protocol/log-line";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import { Provider } from "@tenon/protocol/tfplugin6";

if (!hasMagicCookie(process.env)) {
  process.stderr.write("this program is started by Terraform or OpenTofu\n");
  process.exit(1);
}
const { createCarrierServer } =
  process.argv[2] === "own" ? await import("@tenon/protocol/carrier/server") : await import("@tenon/protocol/carrier/connect-node-server");
const clientCertificatePem = process.env[pluginVariables.clientCertificate];
const own = clientCertificatePem ? createCertificate() : undefined;
const stdio = stdioService();
let printed = 0;
const server = createCarrierServer({
  ...(own && clientCertificatePem ? { tls: { ...own, clientCertificatePem } } : {}),
  services: [
    registration(Provider, {
      getProviderSchema: () => {
        if (printed++ === 0) stdio.write("stdout", Buffer.from("printed by the plugin\n"));
        const attributes = [{ name: "id", type: Buffer.from('"string"'), computed: true }];
        return { provider: {}, resourceSchemas: { wire_thing: { block: { attributes } }, wire_other: { block: { attributes } } } };
      },
      planResourceChange: ({ proposedNewState }) => (proposedNewState ? { plannedState: proposedNewState } : {}),
    }),
    brokerService(),
    healthService(),
    stdio.registration,
    controllerService(() => {
      stdio.end();
      void server.close().then(() => process.exit(0));
    }),
  ],
  onConnectionError: (error) => process.stderr.write(formatLogLine({ level: "warn", message: "connection", fields: { error } })),
});
const path = join(tmpdir(), `wire-plugin-${process.pid}`);
const listener = createServer((socket) => server.accept(socket));
process.on("exit", () => listener.close());
listener.listen(path, () => {
  process.stderr.write(formatLogLine({ level: "info", message: "serving", module: "wire", fields: { path } }));
  process.stdout.write(
    formatHandshakeLine({
      coreVersion: 1,
      protocolVersion: negotiateProtocolVersion(process.env[pluginVariables.protocolVersions], [6]),
      address: { network: "unix", path },
      ...(own ? { certificate: own.certificateDer } : {}),
    }),
  );
});
