// SPDX-License-Identifier: Apache-2.0
import { CtyError, type CtyErrorCode } from "../error.ts";
import type { Path } from "../path-step.ts";

const brand = Symbol.for("@tenon/cty/FunctionError");

export interface FunctionErrorDetails extends ErrorOptions {
  /** Position of the argument that is to blame, from 0; absent if it is none in particular. */
  readonly argument?: number | undefined;
  /** Where in the argument the problem is. */
  readonly path?: Path;
}

/**
 * What a call of a function throws, whatever went wrong: go-cty's error text, and the argument that is to blame.
 *
 * @see go-cty function.ArgError, function.PanicError
 */
export class FunctionError extends CtyError {
  /** Position of the argument that is to blame, from 0; undefined if it is none in particular. */
  readonly argument: number | undefined;

  constructor(code: CtyErrorCode, message: string, details: FunctionErrorDetails = {}) {
    super(code, message, details.path, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "FunctionError";
    this.argument = details.argument;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also true for errors of another installed copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is FunctionError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/**
 * The error of a function that refuses an argument, for implementations to throw: of a message, or of the error that an
 * operation on the argument ended with.
 */
export function argumentError(argument: number, problem: string | CtyError): FunctionError {
  if (typeof problem === "string") return new FunctionError("FUNCTION", problem, { argument });
  return new FunctionError(problem.code, problem.message, { argument, path: problem.path, cause: problem });
}

/** The error of a function that has no result, where no single argument is to blame. */
export function callError(message: string): FunctionError {
  return new FunctionError("FUNCTION", message);
}

/** Codes of errors that tell of the caller's data. Any other, and anything else that is thrown, tells of a mistake in the function. */
const expected: ReadonlySet<CtyErrorCode> = new Set<CtyErrorCode>([
  "INVALID_TYPE",
  "INVALID_VALUE",
  "CONFORMANCE",
  "CONVERSION",
  "MALFORMED",
  "UNSUPPORTED",
  "LIMIT",
]);

/** Runs part of a function; what it throws becomes the error callers see. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    if (error instanceof CtyError && expected.has(error.code)) {
      throw new FunctionError(error.code, error.message, { path: error.path, cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new FunctionError("FUNCTION_FAULT", `panic in function implementation: ${reason}`, { cause: error });
  }
}
