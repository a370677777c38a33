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

  constructor(code: CtyErrorCode, message: string, cause?: unknown) {
    this.code = code;
    this.message = message;
    this.cause = cause;
  }

  /** The same problem at the same place, told as the reason for another. */
  because(problem: string): Failure {
    const failure = new Failure(this.code, `${problem}: ${this.message}`, this.cause);
    failure.steps.push(...this.steps);
    return failure;
  }
}

/** The same problem, one step further out. */
export function within(error: unknown, step: PathStep): unknown {
  if (error instanceof Failure) error.steps.push(step);
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
