// SPDX-License-Identifier: Apache-2.0
import { pluginVariables } from "@tenon/protocol/handshake";

/** What the host that started this process wants, read from its environment. */
export interface HostEnvironment {
  /** `PLUGIN_PROTOCOL_VERSIONS` as it is. */
  readonly protocolVersions: string | undefined;
  /** The host's certificate in PEM. Present: TLS, for this host only. Absent: plaintext. */
  readonly clientCertificatePem: string | undefined;
  readonly minPort: string | undefined;
  readonly maxPort: string | undefined;
  /** Folders for a socket, in order of preference. */
  readonly socketFolders: readonly string[];
  readonly socketGroup: string | undefined;
  /** Whether the host asks for the seventh field of the handshake line. */
  readonly asksForMultiplexing: boolean;
}

/** Reads the environment a host gives to a plugin. Empty variables count as absent, as in go-plugin. */
export function readHostEnvironment(environment: NodeJS.ProcessEnv): HostEnvironment {
  const read = (variable: string): string | undefined => environment[variable] || undefined;
  return {
    protocolVersions: read(pluginVariables.protocolVersions),
    clientCertificatePem: read(pluginVariables.clientCertificate),
    minPort: read(pluginVariables.minPort),
    maxPort: read(pluginVariables.maxPort),
    socketFolders: [read(pluginVariables.unixSocketDir), read("TMPDIR"), "/tmp"].filter((folder) => folder !== undefined),
    socketGroup: read(pluginVariables.unixSocketGroup),
    asksForMultiplexing: read(pluginVariables.multiplexGrpc) !== undefined,
  };
}
