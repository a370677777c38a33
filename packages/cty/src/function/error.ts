// SPDX-License-Identifier: Apache-2.0
import { CtyError, type CtyErrorCode } from "../error/error.ts";
import type { Path } from "../model/path.ts";

const brand = Symbol.for("@tenon/cty/FunctionError");

/** Details of a {@link FunctionError}. */
export interface FunctionErrorDetails extends ErrorOptions {
  /** Position of the argument that caused the error, from 0; absent if no single argument did. */
  readonly argument?: number | undefined;
  /** Path inside the argument to the part that caused the error. */
  readonly path?: Path;
}

/**
 * The error of every failed function call: go-cty's error text, and the argument that caused the error.
 *
 * @see go-cty function.ArgError, function.PanicError
 */
export class FunctionError extends CtyError {
  /** Position of the argument that caused the error, from 0; undefined if no single argument did. */
  readonly argument: number | undefined;

  constructor(code: CtyErrorCode, message: string, details: FunctionErrorDetails = {}) {
    super(code, message, details.path, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "FunctionError";
    this.argument = details.argument;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether the value is a FunctionError, of this or of another installed copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is FunctionError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/**
 * The error that an implementation throws to reject an argument. `problem` is a message, or the error that an operation on the
 * argument threw.
 */
export function argumentError(argument: number, problem: string | CtyError): FunctionError {
  if (typeof problem === "string") return new FunctionError("FUNCTION", problem, { argument });
  return new FunctionError(problem.code, problem.message, { argument, path: problem.path, cause: problem });
}

/** The error that an implementation throws if the call has no result and no single argument caused that. */
export function callError(message: string): FunctionError {
  return new FunctionError("FUNCTION", message);
}

/** Codes of errors in the caller's data. Every other error is a mistake in the function. */
const dataErrorCodes: ReadonlySet<CtyErrorCode> = new Set<CtyErrorCode>([
  "INVALID_TYPE",
  "INVALID_VALUE",
  "CONFORMANCE",
  "CONVERSION",
  "MALFORMED",
  "UNSUPPORTED",
  "LIMIT",
]);

/** Runs part of a function, and rethrows every error as a {@link FunctionError}. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    if (error instanceof CtyError && dataErrorCodes.has(error.code)) {
      throw new FunctionError(error.code, error.message, { path: error.path, cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new FunctionError("FUNCTION_FAULT", `panic in function implementation: ${reason}`, { cause: error });
  }
}
