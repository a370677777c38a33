// SPDX-License-Identifier: Apache-2.0

/**
 * What is wrong with a provider as it was written. Its author sees these, never the practitioner's configuration.
 *
 * - `INVALID_SCHEMA`: a schema breaks a rule of the protocol; the message names provider, component and attribute.
 * - `INVALID_DEFINITION`: something else in a definition cannot be: a name, a missing state upgrader, two components of one name.
 * - `INVALID_COMPONENT`: what a lazy component's module gave is no component of this SDK.
 * - `LOAD_FAILED`: a provider or a lazy component could not be loaded; `cause` has the reason.
 * - `INVALID_PACKAGE_OPTION`: what a package should be made of, or how, cannot be; nothing has been written.
 * - `BUNDLE_FAILED`: the provider's sources cannot be bundled; the message has the bundler's reasons.
 * - `WAIT_TIMED_OUT`, `UNEXPECTED_STATE`, `NOT_FOUND`: what a handler waited for did not come, came otherwise, or is not there.
 * - `NEVER_CALLED`: `replaceInstead` was called; it only marks that there is no update.
 */
export type SdkErrorCode =
  | "INVALID_SCHEMA"
  | "INVALID_DEFINITION"
  | "INVALID_COMPONENT"
  | "LOAD_FAILED"
  | "INVALID_PACKAGE_OPTION"
  | "BUNDLE_FAILED"
  | "WAIT_TIMED_OUT"
  | "UNEXPECTED_STATE"
  | "NOT_FOUND"
  | "NEVER_CALLED";

const brand = Symbol.for("@tenon/provider-sdk/Error");

/** The one error class of this package; `instanceof` holds across two installed copies of it. */
export class SdkError extends Error {
  override readonly name = "SdkError";
  readonly code: SdkErrorCode;

  constructor(code: SdkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}
