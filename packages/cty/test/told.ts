// SPDX-License-Identifier: Apache-2.0
import { goString, type Value } from "../src/index.ts";
import { FunctionError, type CtyFunction } from "../src/function/index.ts";

/** What a call gives, for people: the value in Go's notation, or the error's code, argument and message. */
export function told(called: CtyFunction, ...args: readonly Value[]): string {
  try {
    return goString(called.call(args)).replaceAll("cty.", "");
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return `${error.code}${error.argument === undefined ? "" : ` of ${error.argument}`}: ${error.message}`;
  }
}
