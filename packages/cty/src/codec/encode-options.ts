// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import type { Type } from "../model/type.ts";
import { testConformance } from "../value/type-conform.ts";
import type { Value } from "../model/value.ts";

/** Options of an encoder. */
export interface EncodeOptions {
  /**
   * Converts a value that does not conform to the type. Pass `convert` of `@tenon/cty/convert` to get the behaviour of go-cty, which
   * always converts. Without it, such a value is rejected.
   */
  readonly convert?: (value: Value, type: Type) => Value;
}

/** Returns the value converted to the type if it does not conform and the options allow it. @throws CtyError `CONFORMANCE` otherwise. */
export function conformingTo(type: Type, value: Value, options?: EncodeOptions): Value {
  if (value.type === type) return value;
  const [problem] = testConformance(value.type, type);
  if (problem === undefined) return value;
  if (options?.convert !== undefined) return options.convert(value, type);
  throw new CtyError("CONFORMANCE", `${problem.message}: convert the value first`, problem.path);
}
