// SPDX-License-Identifier: Apache-2.0
import type { Path } from "./path-step.ts";

/**
 * What went wrong, for programs:
 * - `INVALID_TYPE`: a type, or the description of one, that cannot be;
 * - `INVALID_VALUE`: a JavaScript value that is not a value of the wanted type;
 * - `CONFORMANCE`: a type that does not conform to the wanted one;
 * - `CONVERSION`: a value that cannot be converted to the wanted type;
 * - `MALFORMED`: bytes or text that are not a value of the wanted type;
 * - `UNSUPPORTED`: a value that a format cannot carry (marks, capsules, infinity, unknowns in JSON);
 * - `LIMIT`: input deeper or larger than this library agrees to handle;
 * - `UNKNOWN`, `NULL`, `MARKED`: an operation that needs a value that is none of these;
 * - `NOT_A_NUMBER`: arithmetic without a result, such as 0/0;
 * - `MISUSE`: an operation that the value's type does not have; where go-cty panics;
 * - `FUNCTION`: a function that refuses its arguments, or has no result for them;
 * - `FUNCTION_FAULT`: a function that broke off with an exception of its own, which is the error's `cause`.
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
 * The one error class of this package. `message` is go-cty's text where go-cty has one; it does not contain the path,
 * which stands in `path` ({@link formatPath} writes it for people).
 */
export class CtyError extends Error {
  readonly code: CtyErrorCode;
  /** Where in the value the problem is; empty for the value itself. */
  readonly path: Path;

  constructor(code: CtyErrorCode, message: string, path: Path = [], options?: ErrorOptions) {
    super(message, options);
    this.name = "CtyError";
    this.code = code;
    this.path = path;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also true for errors of another installed copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is CtyError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** An operation that the value's type does not have, or a contradiction. */
export function misuse(message: string, path?: Path): CtyError {
  return new CtyError("MISUSE", message, path);
}

/** An operation that needs a value, and got null. */
export function nullRefused(message: string, path?: Path): CtyError {
  return new CtyError("NULL", message, path);
}

/** An operation that needs a value without marks. */
export function markedRefused(path?: Path): CtyError {
  return new CtyError("MARKED", "value is marked, so must be unmarked first", path);
}
