// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "node:zlib";

/** The lines of a journal file. */
export interface JournalText {
  /** The JSON texts of the complete lines. */
  readonly lines: readonly string[];
  /** Size of the complete lines at the start, in bytes. */
  readonly size: number;
  /** The number of the first damaged line before a complete one; undefined if at most the end of the file is damaged. */
  readonly damagedLine: number | undefined;
}

/**
 * Formats a line of a journal: the CRC-32 of the JSON text (RFC 1952) as eight hexadecimal digits, a space, the JSON text in UTF-8
 * (RFC 8259), a line feed.
 */
export function journalLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

/** Splits a journal into its lines. A line that was cut off when the process or the machine ended is left out. */
export function readJournalLines(content: Buffer): JournalText {
  const lines: string[] = [];
  let firstDamaged: number | undefined;
  let damagedLine: number | undefined;
  let size = 0;
  for (let start = 0, number = 1; start < content.length; number++) {
    const lineFeed = content.indexOf(0x0a, start);
    const end = lineFeed === -1 ? content.length : lineFeed;
    const json = lineFeed === -1 ? undefined : jsonOf(content.subarray(start, end));
    if (json === undefined) firstDamaged ??= number;
    else {
      lines.push(json);
      if (firstDamaged === undefined) size = end + 1;
      else damagedLine ??= firstDamaged;
    }
    start = end + 1;
  }
  return { lines, size, damagedLine };
}

/** The JSON text of a line without its line feed; undefined if the line is damaged. */
function jsonOf(line: Buffer): string | undefined {
  const json = line.subarray(9);
  const isIntact = line.length > 9 && line[8] === 0x20 && checksum(json) === line.toString("latin1", 0, 8);
  return isIntact ? json.toString("utf8") : undefined;
}

function checksum(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(8, "0");
}
