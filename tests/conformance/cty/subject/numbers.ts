// SPDX-License-Identifier: Apache-2.0
import { CtyError, number, safeKnownPrefix } from "@tenon/cty";
import {
  compareNumbers,
  numberFromBigint,
  numberFromDouble,
  numberFromText,
  numberText,
  numberToBigint,
  normalizeString,
  valueOf,
  type NumberPayload,
} from "@tenon/cty/unstable/payload";
import type { Json, NumberNotation } from "../notation.ts";
import type { Operation, Operations } from "./operation.ts";
import { readNumber } from "./read.ts";
import { bitsOf, writeValue } from "./write.ts";

function written(payload: NumberPayload | undefined, why: string): Json {
  if (payload === undefined) throw new CtyError("MALFORMED", why);
  return writeValue(valueOf(number, payload));
}

const of =
  (run: (payload: NumberPayload) => Json): Operation =>
  (notation) =>
    run(readNumber(notation as NumberNotation));

const view = new DataView(new ArrayBuffer(8));

function doubleOf(bits: string): number {
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

export const numberOperations: Operations = {
  "num.parse": (text) => written(numberFromText(text as string), "a number is required"),
  "num.int": (text) => written(numberFromBigint(BigInt(text as string)), ""),
  "num.uint": (text) => written(numberFromBigint(BigInt(text as string)), ""),
  "num.float": (bits) => written(numberFromDouble(doubleOf(bits as string)), "NaN is no number"),
  "num.text_f": of(numberText),
  "num.bits": of(bitsOf),
  "num.isInt": of((payload) => numberToBigint(payload) !== undefined),
  "num.cmp": (a, b) => Math.sign(compareNumbers(readNumber(a as NumberNotation), readNumber(b as NumberNotation))),
  "str.nfc": (text) => normalizeString(text as string),
  "str.safePrefix": (text) => safeKnownPrefix(text as string),
};
