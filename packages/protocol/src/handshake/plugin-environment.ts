// SPDX-License-Identifier: Apache-2.0

/** Environment variable and value that a host sets, so that a plugin can detect that it was not started by a person. */
export const magicCookie: { readonly variable: string; readonly value: string } = {
  variable: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};

/** Names of the environment variables that a host sets for a plugin. */
export const pluginVariables = {
  /** Protocol versions that the host supports, `5,6` in any order. */
  protocolVersions: "PLUGIN_PROTOCOL_VERSIONS",
  /** Certificate of the host in PEM: the plugin must serve TLS and accept only clients that have it. Unset or empty: plaintext. */
  clientCertificate: "PLUGIN_CLIENT_CERT",
  /** Lowest port for a plugin that listens on TCP. */
  minPort: "PLUGIN_MIN_PORT",
  /** Highest port for a plugin that listens on TCP. */
  maxPort: "PLUGIN_MAX_PORT",
  /** Folder for the socket. Default: the temporary folder. */
  unixSocketDir: "PLUGIN_UNIX_SOCKET_DIR",
  /** Group that may use the socket, by name or number. */
  unixSocketGroup: "PLUGIN_UNIX_SOCKET_GROUP",
  /** Set when the host supports broker connections that share one connection. */
  multiplexGrpc: "PLUGIN_MULTIPLEX_GRPC",
} as const;

/** Whether a host has started this process as a plugin. */
export function hasMagicCookie(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[magicCookie.variable] === magicCookie.value;
}
