// SPDX-License-Identifier: Apache-2.0

const polynomial = 0xd800000000000000n;
const mask = 0xffffffffffffffffn;

const table: readonly bigint[] = Array.from({ length: 256 }, (_, byte) => {
  let remainder = BigInt(byte);
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1n ? (remainder >> 1n) ^ polynomial : remainder >> 1n;
  return remainder;
});

const encoder = new TextEncoder();

/** CRC-64 (ISO) of the text's UTF-8 bytes. */
export function crc64(text: string): bigint {
  let remainder = mask;
  for (const byte of encoder.encode(text)) remainder = table[Number((remainder ^ BigInt(byte)) & 0xffn)]! ^ (remainder >> 8n);
  return remainder ^ mask;
}
