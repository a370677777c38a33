// SPDX-License-Identifier: Apache-2.0
/**
 * Kinds of failure that callers may handle differently.
 *
 * - `HANDSHAKE_MALFORMED`: the plugin's first line is not a valid handshake line.
 * - `REATTACH_MALFORMED`: the value of `TF_REATTACH_PROVIDERS` is invalid.
 * - `CERTIFICATE_MALFORMED`: the bytes are not an X.509 certificate.
 * - `MESSAGE_MALFORMED`: the bytes are not a valid protobuf message.
 * - `CONNECTION_FAILED`: the connection could not be established: wrong address, refused certificate, timeout.
 * - `CONNECTION_LOST`: an established connection ended.
 * - `HTTP2_VIOLATED`: the peer violated HTTP/2, or exceeded a limit.
 * - `NO_REFLECTION`: the program read `proto` of a descriptor without reflection.
 * - `DEPENDENCY_MISSING`: the reference carrier was imported, and connect-node is not installed.
 * - `CLOSED`: the call was made after `close()`, or `close()` ended it.
 */
export type ProtocolErrorCode =
  | "HANDSHAKE_MALFORMED"
  | "REATTACH_MALFORMED"
  | "CERTIFICATE_MALFORMED"
  | "MESSAGE_MALFORMED"
  | "CONNECTION_FAILED"
  | "CONNECTION_LOST"
  | "HTTP2_VIOLATED"
  | "NO_REFLECTION"
  | "DEPENDENCY_MISSING"
  | "CLOSED";

const brand = Symbol.for("@tenon/protocol/Error");

/**
 * Error thrown by this package. `instanceof` also recognises errors thrown by another installed copy.
 *
 * A call that fails rejects with Connect's `ConnectError` instead; where the connection is the reason, its `cause` is a `ProtocolError`.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  /** Kind of failure. */
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}
