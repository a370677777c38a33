// SPDX-License-Identifier: Apache-2.0
import { goString, type Value } from "../src/index.ts";
import { FunctionError, type CtyFunction } from "../src/function/index.ts";

/** The result of a call as text: the value in Go notation, or the error code, argument and message. */
export function outcome(called: CtyFunction, ...args: readonly Value[]): string {
  try {
    return goString(called.call(args)).replaceAll("cty.", "");
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return `${error.code}${error.argument === undefined ? "" : ` of ${error.argument}`}: ${error.message}`;
  }
}
