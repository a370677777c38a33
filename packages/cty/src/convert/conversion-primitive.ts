// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error/error.ts";
import { numberFromText } from "../number/big-float.ts";
import { numberText } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { bool, number, string } from "../type/type.ts";
import type { PrimitiveType } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { conversionError, type StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";

/** The conversion between primitive types. Every number and bool can be converted to a string; only some strings to a number or a bool. @see go-cty convert/conversion_primitive.go */
export function primitiveConversion(from: PrimitiveType, to: PrimitiveType, unsafe: boolean): StepConversion | undefined {
  const conversion = conversionBetween(from, to, unsafe);
  if (conversion === undefined) return undefined;
  return (value, trail) => {
    // After a unification, the value can be of another type. go-cty panics.
    if (value.type !== from) throw misuse(`not a ${from.kind}`, trail.path());
    return conversion(value, trail);
  };
}

function conversionBetween(from: PrimitiveType, to: PrimitiveType, unsafe: boolean): StepConversion | undefined {
  if (to === string && from === number) return numberToString;
  if (to === string && from === bool) return boolToString;
  if (!unsafe || from !== string) return undefined;
  return to === number ? stringToNumber : to === bool ? stringToBool : undefined;
}

function numberToString({ payload }: Value): Value {
  return valueOf(string, numberText(payload as NumberPayload));
}

function boolToString({ payload }: Value): Value {
  return valueOf(string, payload === true ? "true" : "false");
}

function stringToNumber({ payload }: Value, trail: Trail): Value {
  const result = numberFromText(payload as string);
  if (result === undefined) throw conversionError("a number is required", trail);
  return valueOf(number, result);
}

function stringToBool({ payload }: Value, trail: Trail): Value {
  const problem = boolProblem(payload as string);
  if (problem !== undefined) throw conversionError(problem, trail);
  return valueOf(bool, payload === "true" || payload === "1");
}

/** The error text for a string that is not a bool; undefined for "true", "false", "1" and "0". */
export function boolProblem(text: string): string | undefined {
  if (text === "true" || text === "1" || text === "false" || text === "0") return undefined;
  const lower = text.toLowerCase();
  if (lower !== "true" && lower !== "false") return "a bool is required";
  return `a bool is required; to convert from string, use lowercase "${lower}"`;
}
