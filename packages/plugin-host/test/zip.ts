// SPDX-License-Identifier: Apache-2.0
import { crc32, deflateRawSync } from "node:zlib";

/** One entry of an archive for tests. Its declared sizes and checksums may be wrong. */
export interface ZipEntry {
  readonly name: string;
  readonly data?: string | Uint8Array;
  /** File type and mode, as on Unix. Default: a file that every user may execute. */
  readonly mode?: number;
  /** Number of the operating system on which the archive was made. Default: 3, Unix. */
  readonly madeBy?: number;
  readonly declaredSize?: number;
  readonly declaredSum?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** The bytes of a zip file. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data ?? "");
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0x800, 2);
    common.writeUInt16LE(entry.method ?? 8, 4);
    common.writeUInt32LE(entry.declaredSum ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.declaredSize ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((entry.mode ?? 0o100755) * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, entry.madeBy ?? 3]), common, rest, name]));
    files.push(file);
    offset += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, Buffer.from("PK\x05\x06"), end]);
}
