// SPDX-License-Identifier: Apache-2.0
import { gzipSync } from "node:zlib";

const operatingSystemOffset = 9;
const unknownOperatingSystem = 0xff;

/**
 * Compresses bytes with gzip. The header is equal to Go's: no time, no name, unknown operating system. The compressed data can differ,
 * because zlib and Go choose different back references.
 */
export function gzip(bytes: Uint8Array): Buffer {
  const compressed = gzipSync(bytes);
  compressed[operatingSystemOffset] = unknownOperatingSystem;
  return compressed;
}
