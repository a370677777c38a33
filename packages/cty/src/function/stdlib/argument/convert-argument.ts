// SPDX-License-Identifier: Apache-2.0
import { convert } from "../../../convert/convert.ts";
import { CtyError } from "../../../error/error.ts";
import type { Type } from "../../../model/type.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError } from "../../error.ts";

/** Converts an argument to a type. @throws FunctionError with the argument's position if it cannot be converted. */
export function convertArgument(index: number, value: Value, type: Type): Value {
  try {
    return convert(value, type);
  } catch (error) {
    throw error instanceof CtyError && error.code === "CONVERSION" ? argumentError(index, error) : error;
  }
}
