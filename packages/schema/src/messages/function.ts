// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { FunctionSignature } from "../model/function-signature.ts";

export interface GetFunctionsResponse {
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CallFunctionRequest {
  readonly name: string;
  /** Positional, the variadic ones at the end. */
  readonly arguments: readonly Value[];
}

/** Exactly one of `result` and `error` is there. */
export interface CallFunctionResponse {
  readonly result?: Value;
  readonly error?: FunctionError;
}

export interface FunctionError {
  readonly text: string;
  /** Position of the argument it is about, from 0. */
  readonly functionArgument?: number;
}
