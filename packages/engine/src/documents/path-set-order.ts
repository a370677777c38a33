// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";

/** Polynomial of CRC-64 as in ISO 3309, reversed. */
const polynomial = 0xd800000000000000n;

const table: readonly bigint[] = Array.from({ length: 256 }, (_, index) => {
  let crc = BigInt(index);
  for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ polynomial : crc >> 1n;
  return crc;
});

/** Paths in the order in which OpenTofu writes a set of them: by their hashes. @see go-cty path_set.go */
export function inSetOrder(paths: readonly Path[]): readonly Path[] {
  if (paths.length < 2) return paths;
  const hashed = paths.map((path) => [path, hash(path)] as const);
  return hashed.toSorted(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([path]) => path);
}

function hash(path: Path): bigint {
  let crc = 0xffffffffffffffffn;
  for (const step of path) {
    // All keys have one hash.
    for (const byte of Buffer.from(step.kind === "attribute" ? step.name : "#"))
      crc = table[Number((crc ^ BigInt(byte)) & 0xffn)]! ^ (crc >> 8n);
  }
  return BigInt.asIntN(64, ~crc & 0xffffffffffffffffn);
}
