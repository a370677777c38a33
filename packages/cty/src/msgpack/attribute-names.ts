// SPDX-License-Identifier: Apache-2.0
import { perType } from "../type/per-type.ts";
import type { ObjectType } from "../model/type.ts";
import { Writer } from "./writer.ts";

/** The encoded attribute names in slot order. go-cty writes attributes in this order, so a reader can compare bytes instead of decoding names. */
export const encodedNames: (type: ObjectType) => readonly Uint8Array[] = perType((type) => {
  const writer = new Writer();
  return type.names.map((name) => {
    writer.text(name);
    return writer.take();
  });
});
