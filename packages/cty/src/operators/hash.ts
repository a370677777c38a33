// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "./crc32.ts";
import { CtyError } from "../error/error.ts";
import { containsMark, type Payload } from "../payload/payload.ts";
import { hashText } from "../equality/set-hash.ts";
import type { Type } from "../model/type.ts";
import type { Value } from "../model/value.ts";

/**
 * go-cty's 32-bit hash of the value, the same for equal values of a type (0 and -0 excepted).
 *
 * @throws CtyError `MARKED` if there is a mark on the value or inside.
 */
export function hash(value: Value): number {
  if (containsMark(value.payload)) {
    throw new CtyError("MARKED", "can't take hash of value that has marks or has embedded values that have marks");
  }
  return hashPayload(value.type, value.payload);
}

/** go-cty's hash of a payload, by which its sets choose a bucket. Marks are ignored. */
export function hashPayload(type: Type, payload: Payload): number {
  return crc32(hashText(type, payload));
}
