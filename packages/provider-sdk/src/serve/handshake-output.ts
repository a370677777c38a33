// SPDX-License-Identifier: Apache-2.0

/** Set by a launcher that redirects standard output: the file descriptor of the original standard output. */
const variable = "TENON_HANDSHAKE_FD";

/**
 * Returns the file descriptor for the handshake line: standard output, or the descriptor that the launcher names.
 *
 * A host reads the first line as the handshake. A launcher can therefore redirect standard output before Node starts, so that no
 * output of a preloaded module, for example a banner, comes before the handshake line.
 */
export function handshakeOutput(): number {
  const text = process.env[variable];
  // Child processes must not inherit it.
  delete process.env[variable];
  return text !== undefined && /^[3-9]$/.test(text) ? Number(text) : 1;
}
