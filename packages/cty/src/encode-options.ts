// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import type { Type } from "./type.ts";
import { testConformance } from "./type-conform.ts";
import type { Value } from "./value.ts";

export interface EncodeOptions {
  /**
   * Makes a value of the wanted type of one that does not conform to it. go-cty converts always: give `convert` of
   * `@tenon/cty/convert` for that. Without it such a value is refused.
   */
  readonly convert?: (value: Value, type: Type) => Value;
}

/** The value as it can be written for the type. */
export function conformingTo(type: Type, value: Value, options?: EncodeOptions): Value {
  if (value.type === type) return value;
  const [problem] = testConformance(value.type, type);
  if (problem === undefined) return value;
  if (options?.convert !== undefined) return options.convert(value, type);
  throw new CtyError("CONFORMANCE", `${problem.message}: convert the value first`, problem.path);
}
