// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "node:zlib";

/** A file to pack; its name may be hostile. */
export interface StoredFile {
  readonly name: string;
  readonly content: string;
}

/** Creates a zip file without compression, in which every file has the mode 0755. */
export function storedZip(files: readonly StoredFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const data = Buffer.from(file.content);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x800, 2);
    header.writeUInt32LE(crc32(data), 10);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(0o100755 * 0x10000, 6);
    place.writeUInt32LE(offset, 10);
    const part = Buffer.concat([Buffer.from("PK\x03\x04"), header, name, data]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), header, place, name]));
    parts.push(part);
    offset += part.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from("PK\x05\x06"), end]);
}
