// SPDX-License-Identifier: Apache-2.0

const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

const encoder = new TextEncoder();

/** CRC-32 (IEEE) of the text's UTF-8 bytes. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const byte of encoder.encode(text)) remainder = (remainder >>> 8) ^ table[(remainder ^ byte) & 0xff]!;
  return (remainder ^ 0xffffffff) >>> 0;
}
