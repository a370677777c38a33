// SPDX-License-Identifier: Apache-2.0
import type { Path } from "../model/path.ts";

/**
 * Kind of an error:
 * - `INVALID_TYPE`: an invalid type or description of a type;
 * - `INVALID_VALUE`: JavaScript data that is not a value of the type;
 * - `CONFORMANCE`: a type that does not conform to another;
 * - `CONVERSION`: a value that cannot be converted to the type;
 * - `MALFORMED`: bytes or text that are not a value of the type;
 * - `UNSUPPORTED`: a value that a format cannot represent (marks, capsules, infinity, unknown values in JSON);
 * - `LIMIT`: input that is nested too deeply or too large;
 * - `UNKNOWN`, `NULL`, `MARKED`: an operation on an unknown, null or marked value that does not accept one;
 * - `NOT_A_NUMBER`: arithmetic without a result, such as 0/0;
 * - `MISUSE`: an operation that the value's type does not have, or a contradiction; go-cty panics;
 * - `FUNCTION`: a function that rejects its arguments, or has no result for them;
 * - `FUNCTION_FAULT`: a function that threw an unexpected error, which is the `cause`.
 */
export type CtyErrorCode =
  | "INVALID_TYPE"
  | "INVALID_VALUE"
  | "CONFORMANCE"
  | "CONVERSION"
  | "MALFORMED"
  | "UNSUPPORTED"
  | "LIMIT"
  | "UNKNOWN"
  | "NULL"
  | "MARKED"
  | "NOT_A_NUMBER"
  | "MISUSE"
  | "FUNCTION"
  | "FUNCTION_FAULT";

const brand = Symbol.for("@tenon/cty/Error");

/**
 * The error class of this package. `message` is go-cty's text where go-cty has one. It does not contain the path; {@link formatPath}
 * makes `path` readable.
 */
export class CtyError extends Error {
  /** Kind of the error. */
  readonly code: CtyErrorCode;
  /** Place of the problem in the value; empty for the value itself. */
  readonly path: Path;

  constructor(code: CtyErrorCode, message: string, path: Path = [], options?: ErrorOptions) {
    super(message, options);
    this.name = "CtyError";
    this.code = code;
    this.path = path;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether the value is a CtyError, of this or of another installed copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is CtyError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Returns the error for an operation that the value's type does not have, or for a contradiction. */
export function misuse(message: string, path?: Path): CtyError {
  return new CtyError("MISUSE", message, path);
}

/** Returns the error for an operation on null that needs a value. */
export function nullRefused(message: string, path?: Path): CtyError {
  return new CtyError("NULL", message, path);
}

/** Returns the error for an operation on a marked value that needs one without marks. */
export function markedRefused(path?: Path): CtyError {
  return new CtyError("MARKED", "value is marked, so must be unmarked first", path);
}
