// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import { perType } from "@tenon/cty/unstable/payload";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Reads a type from cty's JSON encoding. */
export function readType(wire: Uint8Array): Type {
  return decodeType(decoder.decode(wire));
}

/** Writes a type in cty's JSON encoding. Computed once for each type. */
export const writeType: (type: Type) => Uint8Array = perType((type) => encoder.encode(encodeType(type)));
