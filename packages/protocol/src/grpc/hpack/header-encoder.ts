// SPDX-License-Identifier: Apache-2.0
import { staticTable } from "./static-table.ts";

const indexOfField = new Map(staticTable.map(([name, value], index) => [`${name}\0${value}`, index + 1]));
const indexOfName = new Map(staticTable.map(([name], index) => [name, index + 1] as const).reverse());

/**
 * Encodes names and values, alternating, to a header block.
 *
 * The block does not use the dynamic table, so that it can be sent repeatedly, on any connection. Each character of a value is one byte.
 */
export function encodeHeaders(fields: readonly string[]): Buffer {
  const bytes: number[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!;
    const value = fields[index + 1]!;
    const known = indexOfField.get(`${name}\0${value}`);
    if (known !== undefined) {
      writeInteger(bytes, 0x80, 7, known);
      continue;
    }
    const nameIndex = indexOfName.get(name) ?? 0;
    writeInteger(bytes, 0, 4, nameIndex);
    if (nameIndex === 0) writeString(bytes, name);
    writeString(bytes, value);
  }
  return Buffer.from(bytes);
}

/** Size update of the table to 0; required once after the peer has shrunk the table. @see RFC 7541, section 4.2 */
export const emptyTable: Buffer = Buffer.of(0x20);

function writeInteger(bytes: number[], pattern: number, prefixBits: number, value: number): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    bytes.push(pattern | value);
    return;
  }
  bytes.push(pattern | mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

function writeString(bytes: number[], text: string): void {
  writeInteger(bytes, 0, 7, text.length);
  for (let index = 0; index < text.length; index++) bytes.push(text.charCodeAt(index));
}
