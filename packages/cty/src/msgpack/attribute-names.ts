// SPDX-License-Identifier: Apache-2.0
import { perType } from "../per-type.ts";
import type { ObjectType } from "../type.ts";

/** The keys as msgpack in the order of the slots: go-cty writes them so, and then they need not be decoded. */
export const encodedNames: (type: ObjectType) => readonly Uint8Array[] = perType((type) => type.names.map(encodedText));

function encodedText(text: string): Uint8Array {
  const utf8 = Buffer.from(text);
  const { length } = utf8;
  const header = length < 32 ? [0xa0 | length] : length < 256 ? [0xd9, length] : [0xda, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), utf8]);
}
