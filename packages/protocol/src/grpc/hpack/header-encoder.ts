// SPDX-License-Identifier: Apache-2.0
import { staticTable } from "./static-table.ts";

const indexOfField = new Map(staticTable.map(([name, value], index) => [`${name}\0${value}`, index + 1]));
const indexOfName = new Map(staticTable.map(([name], index) => [name, index + 1] as const).reverse());

/**
 * Makes a header block of names and values in turn. It neither uses nor changes a table, so that the same block can be sent again, on
 * any connection. Values are taken as bytes, one a character.
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

/** Tells that the table is not used, as must be said once to who has made it smaller. RFC 7541, section 4.2 */
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
