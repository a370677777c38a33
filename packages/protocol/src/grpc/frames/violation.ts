// SPDX-License-Identifier: Apache-2.0
import { errorName } from "./frame.ts";

/** Violation of HTTP/2 or of a limit by the peer. It ends the whole connection. */
export class Violation extends Error {
  override readonly name = "Violation";
  /** HTTP/2 error code for the GOAWAY frame. */
  readonly errorCode: number;

  constructor(errorCode: number, message: string) {
    super(`${message} (${errorName(errorCode)})`);
    this.errorCode = errorCode;
  }
}
