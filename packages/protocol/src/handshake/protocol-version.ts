// SPDX-License-Identifier: Apache-2.0

/**
 * Selects the protocol version of a plugin: the highest of its versions that the host offers.
 *
 * When the host offers none of the plugin's versions, the result is the plugin's lowest version: the host compares the versions, and
 * reports the mismatch itself. Entries of `offered` that are not integers are ignored.
 *
 * @param offered - value of `PLUGIN_PROTOCOL_VERSIONS`.
 * @param served - versions that the plugin serves.
 * @throws TypeError when `served` is empty.
 * @see go-plugin server.go, protocolVersion
 *
 * @example
 * negotiateProtocolVersion("5,6", [5, 6]) // => 6
 * negotiateProtocolVersion("4", [5, 6]) // => 5
 */
export function negotiateProtocolVersion(offered: string | undefined, served: readonly number[]): number {
  if (served.length === 0) throw new TypeError("a plugin must serve at least one protocol version");
  const versions = new Set((offered ?? "").split(",").filter(isInteger).map(Number));
  const common = served.filter((version) => versions.has(version));
  return common.length > 0 ? Math.max(...common) : Math.min(...served);
}

function isInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}
