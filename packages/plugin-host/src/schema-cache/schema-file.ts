// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "node:zlib";

// Eight bytes of magic; version of the format, length of the subject, checksum of everything after the header and length of the response,
// four bytes each, big-endian; the subject; the response.
const magic = Buffer.from("TENONSCH");
const formatVersion = 1;
const headerBytes = magic.length + 16;

/** Returns the content of a file with a provider's response to GetProviderSchema; `subject` identifies the provider. */
export function writeSchemaFile(response: Uint8Array, subject: string): readonly Uint8Array[] {
  const name = Buffer.from(subject);
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32BE(formatVersion, 8);
  header.writeUInt32BE(name.length, 12);
  header.writeUInt32BE(crc32(response, crc32(name)), 16);
  header.writeUInt32BE(response.length, 20);
  return [header, name, response];
}

/** Returns the response in such a file; undefined if the file is damaged, truncated, of another version, or of another provider. */
export function readSchemaFile(bytes: Buffer, subject: string): Uint8Array | undefined {
  const name = Buffer.from(subject);
  if (bytes.length < headerBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  if (bytes.readUInt32BE(8) !== formatVersion || bytes.readUInt32BE(12) !== name.length) return undefined;
  const start = headerBytes + name.length;
  if (bytes.length !== start + bytes.readUInt32BE(20)) return undefined;
  if (!bytes.subarray(headerBytes, start).equals(name)) return undefined;
  return crc32(bytes.subarray(headerBytes)) === bytes.readUInt32BE(16) ? bytes.subarray(start) : undefined;
}
