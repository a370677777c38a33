// SPDX-License-Identifier: Apache-2.0
import { unknown } from "../value-init.ts";
import type { CtyFunction } from "./function.ts";

/**
 * The function, checking its arguments as before and always answering with an unknown value: it stands for one whose result
 * depends on more than its arguments, such as the time, as long as it must not be called yet.
 *
 * @see go-cty function.Unpredictable
 */
export function unpredictable(original: CtyFunction): CtyFunction {
  return original.withImpl((_, type) => unknown(type));
}
