// SPDX-License-Identifier: Apache-2.0

/**
 * What went wrong, for programs. Problems with a configuration are not here: those are {@link Diagnostic} values in responses.
 *
 * - `UNIMPLEMENTED`: this provider has no such RPC.
 * - `UNAVAILABLE`: the provider cannot be reached any more; with a process behind it, it ended.
 * - `CANCELLED`: the caller's signal aborted the call.
 * - `DEADLINE_EXCEEDED`: the call took longer than its time limit.
 * - `RESOURCE_EXHAUSTED`: a message is larger than a limit.
 * - `INTERNAL`: the provider failed outside of what it may answer.
 * - `INVALID_RESPONSE`: the answer cannot be read, or breaks the protocol.
 * - `INVALID_REQUEST`: what was asked cannot be asked of this provider, such as a type it does not have.
 * - `INVALID_SCHEMA`: a schema breaks a rule of the protocol.
 * - `CLOSED`: the call came after `close()`.
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

const brand = Symbol.for("@tenon/schema/ProviderError");

/**
 * An operational failure of a {@link Provider} call.
 *
 * `instanceof` holds across two installed copies of this package.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}
