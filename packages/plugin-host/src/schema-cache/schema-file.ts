// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "node:zlib";

// Eight bytes of magic; version of the format, length of the subject, check sum of everything after the header and length of the
// answer, four bytes each, big-endian; the subject; the answer.
const magic = Buffer.from("TENONSCH");
const formatVersion = 1;
const headerBytes = magic.length + 16;

/** A file with what a provider answered to GetProviderSchema; `subject` says which provider. */
export function writeSchemaFile(answer: Uint8Array, subject: string): readonly Uint8Array[] {
  const name = Buffer.from(subject);
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32BE(formatVersion, 8);
  header.writeUInt32BE(name.length, 12);
  header.writeUInt32BE(crc32(answer, crc32(name)), 16);
  header.writeUInt32BE(answer.length, 20);
  return [header, name, answer];
}

/** The answer in such a file; undefined for one that is damaged, cut off, of another version, or about something else. */
export function readSchemaFile(bytes: Buffer, subject: string): Uint8Array | undefined {
  const name = Buffer.from(subject);
  if (bytes.length < headerBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  if (bytes.readUInt32BE(8) !== formatVersion || bytes.readUInt32BE(12) !== name.length) return undefined;
  const start = headerBytes + name.length;
  if (bytes.length !== start + bytes.readUInt32BE(20)) return undefined;
  if (!bytes.subarray(headerBytes, start).equals(name)) return undefined;
  return crc32(bytes.subarray(headerBytes)) === bytes.readUInt32BE(16) ? bytes.subarray(start) : undefined;
}
