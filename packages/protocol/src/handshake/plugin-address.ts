// SPDX-License-Identifier: Apache-2.0

/** Address that a plugin listens on. */
export type PluginAddress =
  | { readonly network: "unix"; readonly path: string }
  | { readonly network: "tcp"; readonly host: string; readonly port: number };

/** Parses an address of go-plugin: `unix` and a path, or `tcp` and `host:port`. Returns undefined when it is invalid. */
export function parsePluginAddress(network: string | undefined, address: string | undefined): PluginAddress | undefined {
  if (address === undefined || address === "") return undefined;
  // No operating system allows NUL in a path.
  if (network === "unix") return address.includes("\0") ? undefined : { network, path: address };
  if (network !== "tcp") return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { network, host, port };
}

/** Formats the second argument of {@link parsePluginAddress}: the path, or `host:port` with an IPv6 host in brackets. */
export function formatPluginAddress(address: PluginAddress): string {
  if (address.network === "unix") return address.path;
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`;
}
