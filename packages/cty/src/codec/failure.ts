// SPDX-License-Identifier: Apache-2.0
import { CtyError, type CtyErrorCode } from "../error/error.ts";
import type { PathStep } from "../model/path.ts";

/**
 * An error inside nested decoders or encoders. Each adds its path step as the error passes, so that no path has to be maintained while
 * there is no error. {@link reported} turns it into a CtyError.
 */
export class Failure {
  readonly code: CtyErrorCode;
  readonly message: string;
  readonly cause: unknown;
  /** Steps of the path, the innermost first. */
  readonly steps: PathStep[] = [];
  /** Number of following steps that are omitted, as in go-cty. */
  lostSteps = 0;

  constructor(code: CtyErrorCode, message: string, cause?: unknown) {
    this.code = code;
    this.message = message;
    this.cause = cause;
  }

  /** Returns an error with a prefixed message and, as in go-cty, an empty path. */
  prefix(problem: string): Failure {
    return new Failure(this.code, `${problem}: ${this.message}`, this.cause);
  }
}

/** Returns the error for input that is not a value of the type. */
export function malformed(message: string, cause?: unknown): Failure {
  return new Failure("MALFORMED", message, cause);
}

/** Runs a function and reports each CtyError as malformed input. */
export function orMalformed<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw error instanceof CtyError ? malformed(error.message, error) : error;
  }
}

/** Runs a decoder and reports each of its failures as the given problem. */
export function orElse<Result>(problem: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? malformed(problem) : error;
  }
}

/** Returns the error for a value that the format cannot represent. */
export function unsupported(message: string, cause?: unknown): Failure {
  return new Failure("UNSUPPORTED", message, cause);
}

/** Returns the error with a path step added at the outside. */
export function within(error: unknown, step: PathStep): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.lostSteps > 0) error.lostSteps--;
  else error.steps.push(step);
  return error;
}

/** Runs the outermost decoder or encoder, and throws each failure as a CtyError. */
export function reported<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new CtyError(error.code, error.message, error.steps.reverse(), error.cause === undefined ? undefined : { cause: error.cause });
  }
}
