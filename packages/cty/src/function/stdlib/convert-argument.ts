// SPDX-License-Identifier: Apache-2.0
import { convert } from "../../convert/convert.ts";
import { CtyError } from "../../error.ts";
import type { Type } from "../../type.ts";
import type { Value } from "../../value.ts";
import { argumentError } from "../error.ts";

/** The argument converted to a type; it is to blame if that cannot be. */
export function convertArgument(index: number, value: Value, type: Type): Value {
  try {
    return convert(value, type);
  } catch (error) {
    throw error instanceof CtyError && error.code === "CONVERSION" ? argumentError(index, error) : error;
  }
}
