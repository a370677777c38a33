// SPDX-License-Identifier: Apache-2.0
import { perType } from "../per-type.ts";
import type { ObjectType } from "../type.ts";
import { Writer } from "./writer.ts";

/** The keys as msgpack in the order of the slots: go-cty writes them so, and then they need not be decoded. */
export const encodedNames: (type: ObjectType) => readonly Uint8Array[] = perType((type) => {
  const writer = new Writer();
  return type.names.map((name) => {
    writer.text(name);
    return writer.take();
  });
});
