// SPDX-License-Identifier: Apache-2.0
import { CtyError, type CtyErrorCode } from "./error.ts";
import type { PathStep } from "./path-step.ts";

/**
 * A problem on its way up through nested decoders or encoders: each adds its step, so that nobody has to carry a path
 * while all goes well. It never leaves the package.
 */
export class Failure {
  readonly code: CtyErrorCode;
  readonly message: string;
  readonly cause: unknown;
  /** From the inside out. */
  readonly steps: PathStep[] = [];
  /** How many of the next steps go-cty loses on the way out. */
  lostSteps = 0;

  constructor(code: CtyErrorCode, message: string, cause?: unknown) {
    this.code = code;
    this.message = message;
    this.cause = cause;
  }

  /** Another problem, for which this one is the reason. Where it began is told by nobody then, as in go-cty. */
  because(problem: string): Failure {
    return new Failure(this.code, `${problem}: ${this.message}`, this.cause);
  }
}

/** Input that is no value of the wanted type. */
export function malformed(message: string, cause?: unknown): Failure {
  return new Failure("MALFORMED", message, cause);
}

/** Runs what may find that the input contradicts itself. */
export function orMalformed<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw error instanceof CtyError ? malformed(error.message, error) : error;
  }
}

/** A value that the format cannot carry. */
export function unsupported(message: string, cause?: unknown): Failure {
  return new Failure("UNSUPPORTED", message, cause);
}

/** The same problem, one step further out. */
export function within(error: unknown, step: PathStep): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.lostSteps > 0) error.lostSteps--;
  else error.steps.push(step);
  return error;
}

/** Runs the outermost coder and turns what it throws into the error callers see. */
export function reported<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new CtyError(error.code, error.message, error.steps.reverse(), error.cause === undefined ? undefined : { cause: error.cause });
  }
}
