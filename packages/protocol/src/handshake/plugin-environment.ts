// SPDX-License-Identifier: Apache-2.0

/** How a provider knows that a host has started it, not a person. */
export const magicCookie: { readonly variable: string; readonly value: string } = {
  variable: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};

/** The environment variables through which a host talks to a plugin it starts. */
export const pluginVariables = {
  /** Protocol versions the host speaks, `5,6` in any order. */
  protocolVersions: "PLUGIN_PROTOCOL_VERSIONS",
  /** The host's certificate in PEM. Set: the plugin must serve TLS and let in this one only. Unset or empty: plaintext. */
  clientCertificate: "PLUGIN_CLIENT_CERT",
  /** Lowest port to listen on, where the plugin listens on TCP. */
  minPort: "PLUGIN_MIN_PORT",
  /** Highest port to listen on, where the plugin listens on TCP. */
  maxPort: "PLUGIN_MAX_PORT",
  /** Folder to put the socket in; the temporary folder otherwise. */
  unixSocketDir: "PLUGIN_UNIX_SOCKET_DIR",
  /** Group, by name or number, that may use the socket. */
  unixSocketGroup: "PLUGIN_UNIX_SOCKET_GROUP",
  /** Set: the host wants to know whether broker connections may share one. */
  multiplexGrpc: "PLUGIN_MULTIPLEX_GRPC",
} as const;

/** Whether a host has started this process as a plugin. */
export function hasMagicCookie(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[magicCookie.variable] === magicCookie.value;
}
