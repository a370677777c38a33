// SPDX-License-Identifier: Apache-2.0

/**
 * The kind of an {@link SdkError}. These errors concern the provider's code, never the practitioner's configuration.
 *
 * - `INVALID_SCHEMA`: a schema breaks a rule of the protocol; the message names provider, component and attribute.
 * - `INVALID_DEFINITION`: another part of a definition is invalid: a name, a missing state upgrader, two components of the same name.
 * - `INVALID_COMPONENT`: the module of a lazy component exports no component of this SDK.
 * - `LOAD_FAILED`: a provider or a lazy component could not be loaded; `cause` is the reason.
 * - `INVALID_PACKAGE_OPTION`: an option of the packager is missing or invalid; no file was written.
 * - `BUNDLE_FAILED`: the provider's sources cannot be bundled; the message has the bundler's reasons.
 * - `UNUSABLE_PROVIDER`: the bundled provider does not load, does not serve, or has an invalid schema; the message has file and line.
 * - `DEPENDENCY_MISSING`: packaging needs esbuild, an optional peer dependency, which is not installed.
 * - `WAIT_TIMED_OUT`: `waitForState` or `waitUntilGone` timed out.
 * - `UNEXPECTED_STATE`: `waitForState` or `waitUntilGone` read a state that is neither pending nor a target.
 * - `NOT_FOUND`: `waitForState` did not find the object.
 * - `NEVER_CALLED`: `replaceInstead` was called; it only marks that a resource has no update handler.
 */
export type SdkErrorCode =
  | "INVALID_SCHEMA"
  | "INVALID_DEFINITION"
  | "INVALID_COMPONENT"
  | "LOAD_FAILED"
  | "INVALID_PACKAGE_OPTION"
  | "BUNDLE_FAILED"
  | "UNUSABLE_PROVIDER"
  | "DEPENDENCY_MISSING"
  | "WAIT_TIMED_OUT"
  | "UNEXPECTED_STATE"
  | "NOT_FOUND"
  | "NEVER_CALLED";

const brand = Symbol.for("@tenon/provider-sdk/Error");

/** The error class of this package. `instanceof` also works for errors of another installed copy of the package. */
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
