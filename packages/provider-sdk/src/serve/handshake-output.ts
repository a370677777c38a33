// SPDX-License-Identifier: Apache-2.0

/** Set by a launcher that keeps everything else away from standard output: the file descriptor of the real one. */
const variable = "TENON_HANDSHAKE_FD";

/**
 * The file descriptor the handshake line goes to: standard output, or what the launcher has put in its place.
 *
 * A host takes the first line for the handshake. A launcher can therefore send standard output elsewhere before Node starts:
 * then nothing a preloaded module prints, a banner for instance, comes before that line.
 */
export function handshakeOutput(): number {
  const text = process.env[variable];
  // Processes this one starts must not take it for theirs.
  delete process.env[variable];
  return text !== undefined && /^[3-9]$/.test(text) ? Number(text) : 1;
}
