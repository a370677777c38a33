// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";

/** A file in an archive. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

const blockBytes = 512;

/**
 * Packs files as a gzipped tar archive, without dates and owners: the same files give the same bytes. Names have at most 100 bytes.
 *
 * @see POSIX.1-1988, the ustar format
 */
export function pluginArchive(entries: readonly ArchiveEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, content, executable }) => {
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
    return [header(name, content.length, executable), content, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
}

function header(name: string, size: number, executable: boolean): Uint8Array {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  };
  block.write(name, 0, 100);
  octal(executable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8); // user
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(0, 136, 12); // date
  block.write(" ".repeat(8), 148, "latin1"); // the checksum counts as spaces
  block.write("0", 156, "latin1"); // a regular file
  block.write("ustar\u000000", 257, "latin1");
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}
