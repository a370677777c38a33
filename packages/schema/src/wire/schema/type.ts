// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import { perType } from "@tenon/cty/unstable/payload";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A type in cty's JSON form, as schemas carry it. */
export function readType(wire: Uint8Array): Type {
  return decodeType(decoder.decode(wire));
}

export const writeType: (type: Type) => Uint8Array = perType((type) => encoder.encode(encodeType(type)));
