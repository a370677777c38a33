// SPDX-License-Identifier: Apache-2.0
import { number, type NumberType, type Value } from "../src/index.ts";
import { numberFromText, valueOf } from "../src/unstable/payload.ts";

/** A number read from text: of 512 bits, or infinite. */
export function decimal(text: string): Value<NumberType> {
  return valueOf(number, numberFromText(text)!);
}
