// SPDX-License-Identifier: Apache-2.0
/**
 * What went wrong on the wire. Each code stands for one thing a caller may want to tell apart.
 *
 * - `HANDSHAKE_MALFORMED`: the plugin's first line is not a handshake line.
 * - `REATTACH_MALFORMED`: `TF_REATTACH_PROVIDERS` is not what it should be.
 * - `CERTIFICATE_MALFORMED`: bytes that should be a certificate are none.
 * - `MESSAGE_MALFORMED`: bytes that should be a protobuf message are none.
 * - `CONNECTION_FAILED`: no connection came about; the address, the certificate or the peer is wrong.
 * - `CONNECTION_LOST`: a connection that stood is gone.
 * - `HTTP2_VIOLATED`: the peer broke a rule of HTTP/2, or asked for more than it may.
 * - `NO_REFLECTION`: a descriptor that is for reading and writing messages only was asked what the file says of it.
 * - `CLOSED`: the call came after `close()`, or was cut off by it.
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
  | "CLOSED";

const brand = Symbol.for("@tenon/protocol/Error");

/**
 * The error of this package. `instanceof` also holds for one thrown by another installed copy.
 *
 * Errors of a single call are not of this kind: they are Connect's `ConnectError`, as their code travels on the wire.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  /** Tells kinds of failure apart; the message is for people. */
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
