// SPDX-License-Identifier: Apache-2.0
import type { CapsulePayload } from "../../payload/payload.ts";
import { capsule, number } from "../../type/type.ts";
import type { CapsuleType } from "../../model/type.ts";
import { capsuleOf } from "../../construction/value-init.ts";
import { valueOf } from "../../value/value.ts";
import type { Value } from "../../model/value.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { integerOf } from "./argument/native.ts";

/** A capsule type for bytes, which strings cannot hold. Two values are equal if they hold the same array object. @see go-cty stdlib.Bytes */
export const bytes: CapsuleType<Uint8Array> = /* @__PURE__ */ capsule<Uint8Array>("bytes");

/** A value of {@link bytes}. The array must not change afterwards. @see go-cty stdlib.BytesVal */
export function bytesOf(array: Uint8Array): Value<CapsuleType<Uint8Array>> {
  return capsuleOf(bytes, array);
}

function nativeOf(value: Value): Uint8Array {
  return (value.payload as CapsulePayload).native as Uint8Array;
}

/**
 * The number of bytes.
 *
 * @example
 * bytesLenFunc.call([bytesOf(Uint8Array.of(1, 2, 3))])
 * // => cty.NumberIntVal(3)
 *
 * @see go-cty stdlib.BytesLenFunc
 */
export const bytesLenFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the number of bytes.",
  params: [{ name: "buf", type: bytes, allowDynamicType: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([buf]) => valueOf(number, nativeOf(buf).length),
});

/**
 * A part of the bytes, by offset and length. The result shares their memory.
 *
 * @example
 * bytesLenFunc.call([bytesSliceFunc.call([bytesOf(Uint8Array.of(1, 2, 3)), of(number, 1), of(number, 2)])])
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.BytesSliceFunc
 */
export const bytesSliceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns a part of the bytes, by offset and length.",
  params: [
    { name: "buf", type: bytes, allowDynamicType: true },
    { name: "offset", type: number, allowDynamicType: true },
    { name: "length", type: number, allowDynamicType: true },
  ],
  type: bytes,
  refineResult: { notNull: true },
  impl: ([buf, offsetValue, lengthValue]) => {
    const array = nativeOf(buf);
    const offset = integerOf(offsetValue);
    const length = integerOf(lengthValue);
    if (offset < 0n || length < 0n) throw callError("offset and length must be non-negative");
    if (offset > array.length) throw callError(`offset ${offset} is greater than total buffer length ${array.length}`);
    if (offset + length > array.length) {
      throw callError(`offset ${offset} + length ${length} is greater than total buffer length ${array.length}`);
    }
    return bytesOf(array.subarray(Number(offset), Number(offset + length)));
  },
});
