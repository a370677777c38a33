// SPDX-License-Identifier: Apache-2.0
import { unknown } from "../construction/value-init.ts";
import type { CtyFunction } from "./function.ts";

/**
 * The same function with an unknown result. It still checks its arguments. During planning it replaces a function whose result
 * depends on more than its arguments, such as the current time.
 *
 * @see go-cty function.Unpredictable
 */
export function unpredictable(original: CtyFunction): CtyFunction {
  return original.withImpl((_, type) => unknown(type));
}
