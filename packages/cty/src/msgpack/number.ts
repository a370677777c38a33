// SPDX-License-Identifier: Apache-2.0
import { malformed } from "../codec/failure.ts";
import { isInteger, topExponent, truncated } from "../binary/binary.ts";
import { exactDouble } from "../binary/double.ts";
import { numberFromText } from "../number/big-float.ts";
import { numberFromBigint, numberFromDouble, numberText } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** Decodes a number: an integer of any width, a float, or decimal text. */
export function decodeNumber(reader: Reader): NumberPayload {
  const { view } = reader;
  const code = reader.peek();
  if (code < 0x80 || code >= 0xe0) return view.getInt8(reader.take(1));
  if (code >= 0xca && code <= 0xd3) {
    reader.position++;
    switch (code) {
      case 0xca:
        return required(numberFromDouble(view.getFloat32(reader.take(4))));
      case 0xcb:
        return required(numberFromDouble(view.getFloat64(reader.take(8))));
      case 0xcc:
        return reader.unsigned(1);
      case 0xcd:
        return reader.unsigned(2);
      case 0xce:
        return reader.unsigned(4);
      case 0xcf:
        return numberFromBigint(view.getBigUint64(reader.take(8)));
      case 0xd0:
        return view.getInt8(reader.take(1));
      case 0xd1:
        return view.getInt16(reader.take(2));
      case 0xd2:
        return view.getInt32(reader.take(4));
      default:
        return numberFromBigint(view.getBigInt64(reader.take(8)));
    }
  }
  const length = reader.textLength();
  return required(length < 0 ? undefined : numberFromText(reader.text(length)));
}

function required(number: NumberPayload | undefined): NumberPayload {
  if (number === undefined) throw malformed("number is required");
  return number;
}

/** Encodes a number in its smallest exact form: an integer of at most 64 bits, a double, or decimal text. */
export function encodeNumber(writer: Writer, number: NumberPayload): void {
  if (typeof number === "number") {
    if (Number.isInteger(number)) writer.integer(number);
    else writer.double(number);
    return;
  }
  const { binary } = number;
  if (isInteger(binary)) {
    const integer = topExponent(binary) <= 64 ? truncated(binary) : undefined;
    if (integer === undefined || BigInt.asIntN(64, integer) !== integer) writer.text(numberText(number));
    else if (Number.isSafeInteger(Number(integer))) writer.integer(Number(integer));
    else writer.integer64(integer);
    return;
  }
  const double = exactDouble(binary);
  if (double === undefined) writer.text(numberText(number));
  else writer.double(double);
}
