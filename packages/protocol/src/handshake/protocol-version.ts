// SPDX-License-Identifier: Apache-2.0

/**
 * Picks the version a plugin speaks: the highest it serves that the host offers.
 *
 * Where they have none in common, or the host offers nothing, it is the lowest served: the host then compares versions
 * and reports the mismatch in its own words. Entries of `offered` that are no integers are skipped.
 *
 * @param offered value of `PLUGIN_PROTOCOL_VERSIONS`
 * @throws TypeError when nothing is served.
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
