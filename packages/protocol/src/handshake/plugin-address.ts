// SPDX-License-Identifier: Apache-2.0

/** Where a plugin listens. */
export type PluginAddress =
  | { readonly network: "unix"; readonly path: string }
  | { readonly network: "tcp"; readonly host: string; readonly port: number };

/** Reads an address as go-plugin writes it in two words: `unix` and a path, or `tcp` and `host:port`. Undefined when it is none. */
export function parsePluginAddress(network: string | undefined, address: string | undefined): PluginAddress | undefined {
  if (address === undefined || address === "") return undefined;
  // No path of any system has a zero in it.
  if (network === "unix") return address.includes("\0") ? undefined : { network, path: address };
  if (network !== "tcp") return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { network, host, port };
}

/** Writes the second of the two words {@link parsePluginAddress} reads: the path, or `host:port` with IPv6 hosts in brackets. */
export function formatPluginAddress(address: PluginAddress): string {
  if (address.network === "unix") return address.path;
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`;
}
