// SPDX-License-Identifier: Apache-2.0

const brand = Symbol.for("@tenon/hcl/Error");

/**
 * - `INVALID_SPEC`: a decoding spec that no body can be decoded with.
 * - `INVALID_EDIT`: a name, expression or reference that cannot be written into a source.
 * - `TOO_LONG`: a source whose canonical layout is longer than a string can be.
 * - `UNPRINTABLE`: a node that no source stands for.
 */
export type HclErrorCode = "INVALID_SPEC" | "INVALID_EDIT" | "TOO_LONG" | "UNPRINTABLE";

/**
 * A mistake of the program that uses this package. What is wrong with a configuration is told by diagnostics instead, which
 * are returned.
 */
export class HclError extends Error {
  override readonly name = "HclError";
  readonly code: HclErrorCode;

  constructor(code: HclErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also true for errors of another installed copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is HclError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
