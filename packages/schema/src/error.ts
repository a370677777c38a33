// SPDX-License-Identifier: Apache-2.0

/**
 * Reasons for which a {@link Provider} call fails. Problems with a configuration are not here: those are {@link Diagnostic} values in
 * responses.
 *
 * - `UNIMPLEMENTED`: the provider does not implement the RPC.
 * - `UNAVAILABLE`: the provider can no longer be reached; a provider process ended.
 * - `CANCELLED`: the caller's signal aborted the call.
 * - `DEADLINE_EXCEEDED`: the call took longer than its time limit.
 * - `RESOURCE_EXHAUSTED`: a message is larger than a limit.
 * - `INTERNAL`: the provider failed in a way that the protocol cannot express as diagnostics.
 * - `INVALID_RESPONSE`: the response cannot be decoded, or breaks the protocol.
 * - `INVALID_REQUEST`: the request does not fit the provider, such as a type that it does not have.
 * - `INVALID_SCHEMA`: a schema breaks a rule of the protocol.
 * - `CLOSED`: the provider was closed with `close()`.
 */
export type ProviderErrorCode =
  | "UNIMPLEMENTED"
  | "UNAVAILABLE"
  | "CANCELLED"
  | "DEADLINE_EXCEEDED"
  | "RESOURCE_EXHAUSTED"
  | "INTERNAL"
  | "INVALID_RESPONSE"
  | "INVALID_REQUEST"
  | "INVALID_SCHEMA"
  | "CLOSED";

/** Options of a {@link ProviderError}. */
export interface ProviderErrorOptions extends ErrorOptions {
  /** Default: false for `INVALID_REQUEST` and `INVALID_SCHEMA`, true for every other code. */
  readonly requestSent?: boolean;
}

const brand = Symbol.for("@tenon/schema/ProviderError");

/**
 * An operational failure of a {@link Provider} call.
 *
 * `instanceof` holds across two installed copies of this package.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  /**
   * Whether the provider may have received the request. False only where it certainly has not: the call was refused before the request
   * was sent, so that nothing can have changed and the call may be repeated.
   */
  readonly requestSent: boolean;

  constructor(code: ProviderErrorCode, message: string, options?: ProviderErrorOptions) {
    super(message, options);
    this.code = code;
    this.requestSent = options?.requestSent ?? (code !== "INVALID_REQUEST" && code !== "INVALID_SCHEMA");
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** Returns this error for a call whose request was not sent: itself, or a copy. */
  asUnsent(): ProviderError {
    if (!this.requestSent) return this;
    const { code, message, cause } = this;
    return new ProviderError(code, message, { ...(cause === undefined ? {} : { cause }), requestSent: false });
  }
}
