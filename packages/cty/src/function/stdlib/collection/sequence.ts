// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../../../error/error.ts";
import type { ListType, Type } from "../../../model/type.ts";
import { listOf, tupleOf } from "../../../construction/value-init.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError, callError } from "../../error.ts";
import { integerOf } from "../argument/native.ts";

/** Whether the type is a list, tuple or set type. */
export function isSequence(type: Type): boolean {
  return type.kind === "list" || type.kind === "tuple" || type.kind === "set";
}

/** An argument as an integer. @throws FunctionError with the argument's position, if `argument` is set. */
export function positionOf(value: Value, problem: string, argument?: number): bigint {
  try {
    return integerOf(value);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "INVALID_VALUE") throw error;
    const message = `${problem}: ${error.message}`;
    throw argument === undefined ? callError(message) : argumentError(argument, message);
  }
}

/** A tuple or list of values. An empty list has the element type of `type`. */
export function sequenceOf(type: Type, parts: readonly Value[]): Value {
  if (type.kind === "tuple") return tupleOf(parts);
  return parts.length === 0 ? listOf([], (type as ListType).element) : listOf(parts);
}
