// SPDX-License-Identifier: Apache-2.0
/**
 * The code of a {@link TestingError}.
 *
 * - `CASE_INVALID`: the declaration of a case contradicts itself, or misses something; the case did not run.
 * - `CHECK_FAILED`: a check of a step failed.
 * - `STEP_FAILED`: a step failed for another reason: errors of the configuration or the provider, or a plan that must be empty.
 * - `OPTIONS_INVALID`: the options of a command, or of `checkResource` or `checkProvider`, are invalid.
 * - `LAW_VIOLATED`: a resource violates laws; see `checkResource`.
 * - `CASSETTE_INVALID`: a cassette is absent or malformed, or cannot be written; see `withCassette`.
 * - `REQUEST_NOT_RECORDED`, `REQUEST_NOT_MADE`: the requests of a replay differ from those of the cassette.
 * - `REQUEST_UNSUPPORTED`: a request cannot be recorded.
 * - `SWEEPERS_INVALID`: sweepers contradict each other, or cannot be loaded; nothing was deleted.
 * - `CALL_NOT_RECORDED`, `RECORDING_INVALID`: a call of a replayed provider differs from the recording, or there is none; see `recordedProvider`.
 * - `RUNNER_FAILED`: the runner itself failed: the command line cannot be started, or its output cannot be read.
 */
export type TestingErrorCode =
  | "CALL_NOT_RECORDED"
  | "CASE_INVALID"
  | "CASSETTE_INVALID"
  | "CHECK_FAILED"
  | "LAW_VIOLATED"
  | "OPTIONS_INVALID"
  | "RECORDING_INVALID"
  | "REQUEST_NOT_MADE"
  | "REQUEST_NOT_RECORDED"
  | "REQUEST_UNSUPPORTED"
  | "RUNNER_FAILED"
  | "STEP_FAILED"
  | "SWEEPERS_INVALID";

const brand = Symbol.for("@tenon/testing/Error");

/** An error of this package. `instanceof` also matches errors of another installed copy. */
export class TestingError extends Error {
  override readonly name = "TestingError";
  readonly code: TestingErrorCode;

  constructor(code: TestingErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): value is TestingError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
