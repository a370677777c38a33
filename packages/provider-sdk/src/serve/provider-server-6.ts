// SPDX-License-Identifier: Apache-2.0
import { Provider as service } from "@tenon/protocol/lean/tfplugin6";
import { type ProviderServer, type ProviderServerOptions, startServer } from "./provider-server.ts";

/** {@link startServer} for protocol 6. A separate module, so that a process loads the messages of one version only. */
export function startServer6(options: Omit<ProviderServerOptions, "protocol">): Promise<ProviderServer> {
  return startServer({ ...options, protocol: { version: 6, service } });
}
