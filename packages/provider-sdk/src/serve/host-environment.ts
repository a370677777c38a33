// SPDX-License-Identifier: Apache-2.0
import { pluginVariables } from "@tenon/protocol/handshake";

/** Settings that the host passed to this process in environment variables. */
export interface HostEnvironment {
  /** `PLUGIN_PROTOCOL_VERSIONS`, unparsed. */
  readonly protocolVersions: string | undefined;
  /** The host's certificate in PEM. When it is set, the provider serves this host only, with TLS; otherwise it serves in plaintext. */
  readonly clientCertificatePem: string | undefined;
  /** `PLUGIN_MIN_PORT`, unparsed. */
  readonly minPort: string | undefined;
  /** `PLUGIN_MAX_PORT`, unparsed. */
  readonly maxPort: string | undefined;
  /** Folders for a socket, in order of preference. */
  readonly socketFolders: readonly string[];
  /** Group, by name or number, that may connect to the socket. */
  readonly socketGroup: string | undefined;
  /** Whether the host requests the seventh field of the handshake line. */
  readonly requestsMultiplexing: boolean;
}

/** Reads the environment variables that a host sets for a plugin. Empty variables count as absent, as in go-plugin. */
export function readHostEnvironment(environment: NodeJS.ProcessEnv): HostEnvironment {
  const read = (variable: string): string | undefined => environment[variable] || undefined;
  return {
    protocolVersions: read(pluginVariables.protocolVersions),
    clientCertificatePem: read(pluginVariables.clientCertificate),
    minPort: read(pluginVariables.minPort),
    maxPort: read(pluginVariables.maxPort),
    socketFolders: [read(pluginVariables.unixSocketDir), read("TMPDIR"), "/tmp"].filter((folder) => folder !== undefined),
    socketGroup: read(pluginVariables.unixSocketGroup),
    requestsMultiplexing: read(pluginVariables.multiplexGrpc) !== undefined,
  };
}
