// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { FunctionSignature } from "../model/function-signature.ts";

/** Response of GetFunctions. */
export interface GetFunctionsResponse {
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of CallFunction. */
export interface CallFunctionRequest {
  readonly name: string;
  /** Arguments by position; variadic ones come last. */
  readonly arguments: readonly Value[];
}

/** Response of CallFunction. Exactly one of `result` and `error` is present. */
export interface CallFunctionResponse {
  readonly result?: Value;
  readonly error?: FunctionError;
}

/** Error of a function call. */
export interface FunctionError {
  readonly text: string;
  /** Position of the argument that the error is about, from 0; absent where it is about no single argument. */
  readonly functionArgument?: number;
}
