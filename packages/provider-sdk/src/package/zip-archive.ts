// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** A file in an archive. */
export interface ZipEntry {
  /** Path with slashes, relative to the archive's root. Folders have no entries, because hosts hash every entry. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** 1 January 1980, the earliest date of the format. A fixed date makes the archive reproducible. */
const date = 0x0021;
const version = 20;
const deflated = 8;
const madeByUnix = 3;

/**
 * Packs files as a zip archive. "Version made by" is Unix and the attributes contain the mode, so that hosts extract executable files.
 * Entries must be smaller than 4 GiB.
 *
 * @see PKWARE APPNOTE 4.3, 4.4
 */
export function zipArchive(entries: readonly ZipEntry[]): Uint8Array {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content, executable } of entries) {
    const nameBytes = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(version, 0);
    common.writeUInt16LE(0x0800, 2); // The name is UTF-8.
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(date, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, packed]);
    const place = Buffer.alloc(14);
    // The upper 16 bits hold the Unix mode: a regular file with its permissions.
    place.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02", "latin1"), Buffer.from([version, madeByUnix]), common, place, nameBytes);
    files.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listing, end]);
}
