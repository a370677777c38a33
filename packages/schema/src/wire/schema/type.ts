// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import { perType } from "@tenon/cty/unstable/payload";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Maximum number of types that are kept by their encoding. */
const maxKept = 500;
const kept = new Map<string, Type>();

/** Reads a type from cty's JSON encoding. Most attributes of a provider have one of few types, so these are decoded once. */
export function readType(wire: Uint8Array): Type {
  const text = decoder.decode(wire);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const type = decodeType(text);
  if (kept.size < maxKept) kept.set(text, type);
  return type;
}

/** Writes a type in cty's JSON encoding. Computed once for each type. */
export const writeType: (type: Type) => Uint8Array = perType((type) => encoder.encode(encodeType(type)));
