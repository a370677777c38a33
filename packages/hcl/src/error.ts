// SPDX-License-Identifier: Apache-2.0

const brand = Symbol.for("@tenon/hcl/Error");

/**
 * Reason of an {@link HclError}.
 *
 * - `INVALID_SPEC`: a decoding spec is invalid.
 * - `INVALID_EDIT`: a name, expression or reference is invalid in an edit.
 * - `TOO_LONG`: a formatted source would exceed the maximum length of a string.
 * - `UNPRINTABLE`: a node has no source text.
 */
export type HclErrorCode = "INVALID_SPEC" | "INVALID_EDIT" | "TOO_LONG" | "UNPRINTABLE";

/**
 * An error of the calling program. Errors in a configuration are returned as diagnostics instead.
 */
export class HclError extends Error {
  override readonly name = "HclError";
  readonly code: HclErrorCode;

  constructor(code: HclErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether a value is an `HclError`, of this or of another installed copy of the package. */
  static override [Symbol.hasInstance](value: unknown): value is HclError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
